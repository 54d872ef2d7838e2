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
