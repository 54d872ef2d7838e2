# shellcheck shell=bash
# What the scenarios about changes of mounts share. Sourced after $LAB_LIB.

# automatic_mode [LINE…]: mode = auto-remount with short intervals, and further lines
automatic_mode() {
  {
    printf '[daemon]\nmode = auto-remount\nspread = 0\npassive_interval = 2s\n'
    printf '%s\n' "$@"
  } | nfstuned_config
}

# status_of TARGET JQ: print something of that mount's status (of the first mount of its superblock)
status_of() {
  nfstunectl status --json | jq -r --arg target "$1" ".mounts[] | select(.target == \$target or any(.shares_superblock_with[]; . == \$target)) | $2"
}

# status_is TARGET JQ VALUE: is it so by now?
status_is() { [ "$(status_of "$1" "$2")" = "$3" ]; }

# event_of EVENT TARGET CURSOR: print the first such entry of the journal; fails when there is none
event_of() { journal_json --since "$3" "NFSTUNED_EVENT=$1" "NFSTUNED_MOUNT=$2" | grep -m 1 .; }

# events_of EVENT TARGET CURSOR: print how many there are
events_of() { journal_json --since "$3" "NFSTUNED_EVENT=$1" "NFSTUNED_MOUNT=$2" | wc -l; }

# journal_story CURSOR: print what the service said since, a line each
journal_story() {
  journal_json --since "$1" -t nfstuned | jq -r 'select((.PRIORITY | tonumber) < 7) | "\(.NFSTUNED_EVENT // "-"): \(.MESSAGE)"' | sed 's/^/# /'
}

# changed_options BEFORE AFTER: print what is in one list of options and not in the other
changed_options() { comm -3 <(tr ',' '\n' <<<"$1" | sort -u) <(tr ',' '\n' <<<"$2" | sort -u) | tr -d '\t' | paste -sd' '; }

# other_options BEFORE AFTER [NAME…]: the same without these names
other_options() {
  local before=$1 after=$2
  shift 2
  changed_options "$before" "$after" | tr ' ' '\n' | grep -v -E "^(mountport$(printf '|%s' "$@"))(=|\$)" | paste -sd' '
}

# ctl ARG…: nfstunectl; sets $status, leaves what it said in $LAB_TMP/out and $LAB_TMP/err, and shows it
ctl() {
  status=0
  nfstunectl "$@" >"$LAB_TMP/out" 2>"$LAB_TMP/err" || status=$?
  note "nfstunectl $*: $status"
  sed 's/^/#   /' "$LAB_TMP/out" "$LAB_TMP/err"
}

# said REGEX: was that in what it said, on either stream? Line breaks count as blanks.
said() { cat "$LAB_TMP/out" "$LAB_TMP/err" | tr '\n' ' ' | grep -q -i -E -- "$1"; }

# wait_advice TARGET RULE: wait until the rule has spoken
wait_advice() {
  wait_for_journal --timeout 180 NFSTUNED_EVENT=recommendation "NFSTUNED_RULE=$2" "NFSTUNED_MOUNT=$1" &&
    wait_for --timeout 180 status_is "$1" .state advice
}

# wait_event EVENT TARGET CURSOR [TIMEOUT]: wait for it and print it
wait_event() { wait_for_journal --timeout "${4:-180}" --since "$3" "NFSTUNED_EVENT=$1" "NFSTUNED_MOUNT=$2"; }
