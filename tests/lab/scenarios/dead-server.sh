#!/bin/bash
# lab: smoke kernels=6.12 timeout=400 memory=1024
#
# The server goes silent in the middle of a write probe, v3 and v4.2, so that both helpers wait uninterruptibly: one
# `unresponsive` and one `recovered` event per mount, no child piles up, another server's mount is served meanwhile, stop
# and restart of the service are quick, and the daemon itself never touches a path on a mount.
# dead-server-full.sh adds the outages before and after a probe.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
# shellcheck source=tests/lab/scenarios/common/faults.sh
. /lab/scenarios/common/faults.sh
require_project

dead="/mnt/v3 /mnt/v42"
outages=${DEAD_SERVER_OUTAGES:-during}

make_disk data 100
for name in v3 v42; do
  export_dir "/srv/data/$name" rw,sync,no_root_squash,no_subtree_check
  in_server dd if=/dev/zero "of=/srv/data/$name/file" bs=64k count=1 status=none
done
start_server
use_server live
export_dir /srv/live rw,sync,no_root_squash,no_subtree_check
start_server
mount_as 4.2 /mnt/live /srv/live
use_server server
# sync: the helper is in an uninterruptible wait for nearly all of its time; timeo: a dead connection is noticed sooner
mount_as 3 /mnt/v3 /srv/data/v3 sync,timeo=100
mount_as 4.2 /mnt/v42 /srv/data/v42 sync,timeo=100
assert_localio_off
# time: so long that a probe of the slow disk is still in its first writes when the packets are dropped
short_intervals '[probe]' 'time = 20s'

# somebody uses the mounts: without anybody waiting for it, a silent server is nobody's trouble
start_users() {
  local target
  for target in $dead; do
    dd if="$target/file" of=/dev/null bs=64k iflag=direct status=none &
    cleanup_fn end_process $!
    disown
  done
}

# follow the path arguments of the daemon's own system calls (not of its children)
start_tracer() {
  strace -p "$(main_pid)" -e trace=%file -s 4096 -o "$LAB_TMP/trace.$1" 2>"$LAB_TMP/strace.$1" &
  wait_for test -s "$LAB_TMP/strace.$1"
}

check_trace() {
  check "$1: the tracer saw the daemon's files" grep -q '"/proc/' "$LAB_TMP/trace.$1"
  check_not "$1: the daemon never named a path on a mount" grep -E '"/mnt(/|")' "$LAB_TMP/trace.$1"
}

# $cursor is the journal before the packets were dropped
check_silent() {
  local when=$1 target
  for target in $dead; do
    check "$when: $target is called unresponsive" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=unresponsive "NFSTUNED_MOUNT=$target"
  done
}

check_live() {
  local when=$1 silent
  silent=$(journal_cursor)
  check "$when: the live mount is still probed" wait_for --timeout 60 has_written /mnt/live "$silent" 2
}

# $1: which outage
end_outage() {
  local when=$1 target alive
  revive_server
  for target in $dead; do
    check "$when: $target is called recovered" wait_for_journal --timeout 150 --since "$cursor" NFSTUNED_EVENT=recovered "NFSTUNED_MOUNT=$target"
  done
  alive=$(journal_cursor)
  for target in $dead; do
    check "$when: $target is probed again" wait_for --timeout 120 has_written "$target" "$alive"
    equal "$when: one unresponsive event of $target" 1 "$(count_events_of unresponsive "$target" "$cursor")"
    equal "$when: one recovered event of $target" 1 "$(count_events_of recovered "$target" "$cursor")"
  done
  equal "$when: none of the live mount" 0 "$(count_events_of unresponsive /mnt/live "$cursor")"
}

# the service starts while the server is already dead
outage_before() {
  start_users
  kill_server
  cursor=$(journal_cursor)
  check "before: the service starts" timeout 20 systemctl start nfstuned
  start_tracer before
  watch_helpers "$LAB_TMP/count.before"
  check_silent before
  check_live before
  unwatch_helpers
  check "before: no more than one helper per superblock" [ "$(most "$LAB_TMP/count.before")" -le 3 ]
  end_outage before
  systemctl stop nfstuned
  check_trace before
}

# wait until both helpers are in a write that will still last when the server goes silent: between two writes a helper can be
# killed like any other process
hold_both_writes() {
  local i
  for i in $(seq 30); do
    set_disk_delay data 100
    wait_for --timeout 60 n_flushing_helpers 2 || return 1
    set_disk_delay data 60000
    sleep 1
    if n_flushing_helpers 2; then return 0; fi
  done
  return 1
}

# the server dies while both helpers wait for it in a write of a `sync` mount
outage_during() {
  local target
  set_disk_delay data 100
  cursor=$(journal_cursor)
  check "during: the service starts" timeout 20 systemctl start nfstuned
  start_tracer during
  check "during: both wait for the disk" hold_both_writes
  kill_server
  set_disk_delay data 100
  watch_helpers "$LAB_TMP/count.during"
  check "during: both cannot be killed" wait_for --timeout 60 n_stuck_helpers 2
  check_silent during
  check_live during
  unwatch_helpers
  check "during: no more than the stuck one and one that asks per superblock" [ "$(most "$LAB_TMP/count.during")" -le 5 ]

  for target in $dead; do
    equal "during: one unresponsive event of $target" 1 "$(count_events_of unresponsive "$target" "$cursor")"
  done
  check "during: still two that cannot be killed" n_stuck_helpers 2
  elapsed_ms systemctl stop nfstuned
  check "during: stop takes less than 5 s ($took_ms ms)" [ "$took_ms" -lt 5000 ]
  check "during: with both still there" n_stuck_helpers 2
  elapsed_ms systemctl start nfstuned
  check "during: start takes less than 5 s ($took_ms ms)" [ "$took_ms" -lt 5000 ]
  elapsed_ms systemctl restart nfstuned
  check "during: restart takes less than 5 s ($took_ms ms)" [ "$took_ms" -lt 5000 ]
  check "during: and the old helpers are still there" n_stuck_helpers 2
  check_trace during
  set_disk_delay data 0

  # a new process may say once more what it found by itself
  cursor=$(journal_cursor)
  systemctl restart nfstuned
  watch_helpers "$LAB_TMP/count.leftover"
  check_silent "after the restart"
  unwatch_helpers
  check "after the restart: no more than the leftovers and one per superblock" [ "$(most "$LAB_TMP/count.leftover")" -le 5 ]
  end_outage "after the restart"
  check "during: the leftovers are gone" wait_for --timeout 30 n_leftovers_at_most 0
  check "during: no file is left" wait_for --timeout 30 no_own_files /srv/data
  systemctl stop nfstuned
}

# N: are at most N helpers uninterruptible?
n_leftovers_at_most() { [ "$(stuck_helpers | wc -l)" -le "$1" ]; }

# the server dies right after a probe
outage_after() {
  local target
  cursor=$(journal_cursor)
  systemctl start nfstuned
  start_tracer after
  for target in $dead; do
    check "after: $target is probed" wait_for --timeout 60 has_written "$target" "$cursor"
  done
  kill_server
  start_users
  watch_helpers "$LAB_TMP/count.after"
  check_silent after
  check_live after
  unwatch_helpers
  check "after: no more than one helper per superblock" [ "$(most "$LAB_TMP/count.after")" -le 3 ]
  end_outage after
  systemctl stop nfstuned
  check_trace after
}

for outage in $outages; do "outage_$outage"; done
finish
