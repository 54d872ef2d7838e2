# shellcheck shell=bash
# What the scenarios about dead servers, killed processes and full disks share. Sourced after $LAB_LIB.

# short_intervals [LINE…]: the shortest intervals the configuration takes, and further lines
short_intervals() {
  {
    printf '[daemon]\nspread = 0\ninterval = 10s\npassive_interval = 1s\n'
    printf '%s\n' "$@"
  } | nfstuned_config
}

# main_pid: print the daemon's process id
main_pid() { systemctl show --property MainPID --value nfstuned; }

# helpers: print the process ids of all probe helpers that live
helpers() { pgrep -x nfstuned-probe || true; }

# helper_runs: is there any?
helper_runs() { pgrep -x nfstuned-probe; }

# no_helper: is there none?
no_helper() { ! helper_runs; }

# stuck_helpers: print the helpers that wait uninterruptibly with their SIGKILL already sent
stuck_helpers() {
  local pid
  for pid in $(helpers); do
    awk '/^State:/ {d = $2 == "D"} /^(SigPnd|ShdPnd):/ {k = k || substr($2, 14, 1) ~ /[13579bdf]/} END {exit !(d && k)}' \
      "/proc/$pid/status" 2>/dev/null && echo "$pid"
  done
  return 0
}

# n_stuck_helpers N: are there at least N of them?
n_stuck_helpers() { [ "$(stuck_helpers | wc -l)" -ge "$1" ]; }

# flushing_helpers: print the helpers that sit in write(2), close(2), fsync(2) or fdatasync(2)
flushing_helpers() {
  local pid call
  for pid in $(helpers); do
    read -r call _ <"/proc/$pid/syscall" 2>/dev/null || continue
    case $call in 1 | 3 | 74 | 75) echo "$pid" ;; esac
  done
}

# n_flushing_helpers N: do at least N helpers do that at this moment?
n_flushing_helpers() { [ "$(flushing_helpers | wc -l)" -ge "$1" ]; }

# end_process PID: kill it if it is still there
end_process() { kill -9 "$1" 2>/dev/null || true; }

# watch_helpers FILE: note the number of helpers twice a second in the background until unwatch_helpers
watch_helpers() {
  : >"$1"
  (
    trap - EXIT ERR
    while :; do
      helpers | wc -l >>"$1"
      sleep 0.5
    done
  ) &
  helper_watcher=$!
  cleanup_fn end_process "$helper_watcher"
}

# unwatch_helpers: and no longer
unwatch_helpers() {
  kill "$helper_watcher" 2>/dev/null || true
  wait "$helper_watcher" 2>/dev/null || true
}

# most FILE: print the largest number in it
most() { sort -n "$1" | tail -n 1; }

# count_events_of EVENT TARGET CURSOR: print how many there were of one mount
count_events_of() { journal_json --since "$3" "NFSTUNED_EVENT=$1" "NFSTUNED_MOUNT=$2" | wc -l; }

# has_events_of EVENT TARGET CURSOR N: are there at least N?
has_events_of() { [ "$(count_events_of "$1" "$2" "$3")" -ge "$4" ]; }

# has_written TARGET CURSOR [N]: were there at least N (default 1) probes of that mount that wrote? (The probe event of a helper
# that was killed, not allowed to write or unable to names no bytes of a workload.)
has_written() {
  [ "$(journal_json --since "$2" NFSTUNED_EVENT=probe "NFSTUNED_MOUNT=$1" | jq -c 'select(.NFSTUNED_EVIDENCE | test("editor-save: [0-9]"))' | wc -l)" -ge "${3:-1}" ]
}

# own_files DIR: print the names of our files (and of silly-renamed ones) in a directory of the server, as the server sees it
own_files() { in_server find "$1" -name '.nfs*' ! -name "$foreign_name" -printf '%P\n'; }

# no_own_files DIR: is there none?
no_own_files() { [ -z "$(own_files "$1")" ]; }

# has_own_files DIR: is there one?
has_own_files() { [ -n "$(own_files "$1")" ]; }

# the name of a probe file of some other host
# shellcheck disable=SC2034 # for the scenarios
foreign_name=.nfstuned-0123456789abcdef0123456789abcdef-fedcba9876543210fedcba9876543210-4242-1000-0

# elapsed_ms COMMAND…: run it and set $took_ms to the milliseconds it took
elapsed_ms() {
  local start
  start=$(now_ms)
  "$@"
  # shellcheck disable=SC2034 # for the scenarios
  took_ms=$(($(now_ms) - start))
}

# keep_journal: leave the service's journal for `run --out`
keep_journal() {
  mkdir -p /lab/out
  journalctl --quiet --no-pager -o short-monotonic -u nfstuned -u 'nfstuned-mount*' >/lab/out/journal.txt 2>&1
  cp "$LAB_TMP"/trace.* /lab/out/ 2>/dev/null
}
cleanup_fn keep_journal
