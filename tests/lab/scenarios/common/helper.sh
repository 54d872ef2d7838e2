# shellcheck shell=bash
# nfstuned-mount spoken to directly, for what has to be done a hundred times or stopped in the middle. Sourced after $LAB_LIB.

mount_helper=/usr/lib/nfstuned/nfstuned-mount

# facts TARGET: print what nfstuned would say of the mount on top there, as JSON (for targets without escapes)
facts() {
  mount_line "$1" | jq -c -R 'capture("^(?<id>[0-9]+) (?<parent>[0-9]+) (?<major>[0-9]+):(?<minor>[0-9]+) / (?<target>[^ ]+) (?<vfs>[^ ]+) (?<propagation>.*)- (?<fstype>[^ ]+) (?<source>[^ ]+) (?<super>[^ ]+)$") |
    {mount_id: (.id | tonumber), parent_id: (.parent | tonumber), device: {major: (.major | tonumber), minor: (.minor | tonumber)},
     target, source, fstype, vfs, super, propagation: (.propagation | rtrimstr(" "))}'
}

# asked TARGET: print the effective options that a mount has to be asked for to become like this one
asked() {
  mount_line "$1" | sed 's/^.* - [^ ]* [^ ]* //' | tr ',' '\n' |
    grep -v -x -E 'rw|clientaddr=.*|namlen=.*|local_lock=none|mountport=.*|mountaddr=.*|mountproto=.*|mountvers=.*' | paste -sd,
}

# request OP TARGET KEYS FROM TO [JQ]: print a request about that mount; JQ changes it
request() {
  local mount
  mount=$(facts "$2")
  jq -c -n --arg op "$1" --argjson mount "$mount" --arg keys "$3" --arg from "$4" --arg to "$5" \
    "{op: \$op, mount: \$mount, busy: \"refuse\", by_hand: true, may_write: true, staging: {method: (if \$op == \"live\" then \"live\" else \"replace\" end),
      keys: \$keys, from: \$from, to: \$to}} | ${6:-.}"
}

# ask_helper: give standard input to nfstuned-mount, print its answer
ask_helper() { STATE_DIRECTORY=/var/lib/nfstuned "$mount_helper" --stdio; }

# without LIST NAME…: print the option list without those options
without() {
  local list=$1 name
  shift
  for name in "$@"; do list=$(tr ',' '\n' <<<"$list" | grep -v -E "^$name(=|\$)" | paste -sd,); done
  echo "$list"
}

# records: print the names of the records on disk
records() { find /var/lib/nfstuned -name 'intent-*' -printf '%f\n' 2>/dev/null | sort; }
