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

# ---- again and again: under emulation a process costs as much as the change itself, so these start hardly any

# look_at TARGET: set $n_here, and $id, $device, $size (rsize), $flags and $peers (shared:N, -) of the topmost mount there
look_at() {
  local lines line fields below=' '
  mapfile -t lines </proc/self/mountinfo
  n_here=0 id='' device='' size=none flags='' peers=''
  for line in "${lines[@]}"; do
    read -ra fields <<<"$line"
    if [ "${fields[4]}" = "$1" ]; then below+="${fields[1]} " n_here=$((n_here + 1)); fi
  done
  for line in "${lines[@]}"; do
    read -ra fields <<<"$line"
    if [ "${fields[4]}" != "$1" ] || [[ $below = *" ${fields[0]} "* ]]; then continue; fi
    # shellcheck disable=SC2034 # flags, peers: for the scenarios
    id=${fields[0]} device=${fields[2]} flags=${fields[5]} peers=${fields[6]}
    if [[ $line =~ ,rsize=([0-9]+) ]]; then size=${BASH_REMATCH[1]}; fi
  done
}

# end_of FILE: set $end to the end that an answer tells of, empty when there is none
end_of() {
  end=
  if [[ $(<"$1") =~ \"end\":\ ?\"([a-z]+)\" ]]; then end=${BASH_REMATCH[1]}; fi
}

# prepare_toggle TARGET [JQ]: requests that toggle the rsize of this mount between 65536, which it has, and 131072
prepare_toggle() {
  toggle=$(request replace "$1" rsize "$(asked "$1")" "$(without "$(asked "$1")" rsize),rsize=@NEW@" \
    ".mount.mount_id = \"@ID@\" | .mount.device.minor = \"@MINOR@\" | ${2:-.}")
  toggle=${toggle//rsize=65536/rsize=@OLD@}
}

# next_toggle: set $request for the mount that look_at saw, and the $new_size
next_toggle() {
  new_size=131072
  if [ "$size" = 131072 ]; then new_size=65536; fi
  request=${toggle//@NEW@/$new_size}
  request=${request//@OLD@/$size}
  request=${request//\"@ID@\"/$id}
  request=${request//\"@MINOR@\"/${device#*:}}
}

# as_op OP: print the request for another operation
as_op() { printf '%s\n' "${request/\"op\":\"replace\"/\"op\":\"$1\"}"; }

# count_records: set $n_records
count_records() {
  local all
  mapfile -t all < <(compgen -G '/var/lib/nfstuned/intent-*' || true)
  n_records=${#all[@]}
}

# forget_records: as the daemon does when it has remembered what they say
forget_records() {
  count_records
  if [ "$n_records" != 0 ]; then rm -f /var/lib/nfstuned/intent-*; fi
}

# ---- the same in its unit, where it can be held

helper_drop_in=/etc/systemd/system/nfstuned-mount@.service.d/lab.conf

# hold_helper_at CALL WHERE N: from now on nfstuned-mount stops at the entry or exit (WHERE: enter, exit) of its Nth CALL. The program, its
# unit and everything else are those that are installed; only the tracer's own system calls are allowed in addition.
hold_helper_at() {
  mkdir -p "${helper_drop_in%/*}"
  cat >"$helper_drop_in" <<END
[Service]
ExecStart=
ExecStart=/usr/bin/strace -D -f -qq -o /dev/null -e trace=$1 -e inject=$1:delay_$2=900000000:when=$3 $mount_helper
SystemCallFilter=@debug
END
  systemctl daemon-reload
}

# let_helpers_run: those to come are not held
let_helpers_run() {
  rm -f "$helper_drop_in"
  systemctl daemon-reload
}

# release_helpers: those that are held go on
release_helpers() {
  local pid
  for pid in $(pgrep -x strace); do kill -9 "$pid" || true; done
}

# helpers_of_service: print the process ids of nfstuned-mount
helpers_of_service() { pgrep -x nfstuned-mount || true; }

# no_helper_of_service: is there none?
no_helper_of_service() { [ -z "$(helpers_of_service)" ]; }

# record_step: print the step of the only record on disk
record_step() { jq -r .step /var/lib/nfstuned/intent-*.json 2>/dev/null; }

# record_is STEP: does it stand there?
record_is() { [ "$(record_step)" = "$1" ]; }

# n_mounts_at N TARGET: are so many stacked there?
n_mounts_at() { [ "$(mounts_at "$2")" = "$1" ]; }
