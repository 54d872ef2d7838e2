#!/bin/bash
# lab: full kernels=6.12 timeout=600 memory=1024
#
# Twenty mounts of a dead server (twenty superblocks) beside one of a live one: the live one's probes are not delayed by
# more than their own deadline, each dead one is called unresponsive once, and neither memory nor children grow.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
# shellcheck source=tests/lab/scenarios/common/faults.sh
. /lab/scenarios/common/faults.sh
require_project

n_dead=20
export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
in_server dd if=/dev/zero of=/srv/data/file bs=64k count=1 status=none
start_server
use_server live
export_dir /srv/live rw,sync,no_root_squash,no_subtree_check
start_server
mount_as 4.2 /mnt/live /srv/live
use_server server
for ((i = 1; i <= n_dead; i++)); do
  version=4.2
  if [ $((i % 2)) = 0 ]; then version=3; fi
  mount_as $version "/mnt/dead$i" /srv/data nosharecache
done
equal "twenty-one superblocks" 21 "$(awk '/ - nfs4? / && $5 ~ "^/mnt/" {print $3}' /proc/self/mountinfo | sort -u | wc -l)"
assert_localio_off
short_intervals

# one user of a v4.2 mount and one of a v3 mount: the kernel has one connection per version and server
for i in 1 2; do
  dd if="/mnt/dead$i/file" of=/dev/null bs=64k iflag=direct status=none
done
kill_server
for i in 1 2; do
  dd if="/mnt/dead$i/file" of=/dev/null bs=64k iflag=direct status=none &
  cleanup_fn end_process $!
  disown
done

cursor=$(journal_cursor)
watch_helpers "$LAB_TMP/count"
check "the service starts" timeout 20 systemctl start nfstuned

n_unresponsive() { [ "$(journal_events unresponsive --since "$cursor" | jq -r .NFSTUNED_MOUNT | sort -u | wc -l)" -ge "$1" ]; }
check "all twenty are called unresponsive" wait_for --timeout 120 n_unresponsive $n_dead
check "the live one is probed four times" wait_for --timeout 90 has_written /mnt/live "$cursor" 4
unwatch_helpers
equal "each of them once" $n_dead "$(count_events unresponsive --since "$cursor")"
equal "not the live one" 0 "$(count_events_of unresponsive /mnt/live "$cursor")"
check "no more than one helper per superblock" [ "$(most "$LAB_TMP/count")" -le 21 ]

# interval 10 s + 25 %, helper: 3 s for the server and 5 s for the workloads
gap=$(journal_json --since "$cursor" NFSTUNED_EVENT=probe NFSTUNED_MOUNT=/mnt/live | jq -r .__MONOTONIC_TIMESTAMP |
  awk 'NR > 1 && $1 - last > most {most = $1 - last} {last = $1} END {printf "%d", most / 1000}')
note "longest time between two probes of the live mount: $gap ms"
check "the live one is not delayed by more than its own deadline" [ "$gap" -le $((12500 + 8000)) ]

rss=$(awk '/^VmRSS:/ {print $2}' "/proc/$(main_pid)/status")
note "VmRSS of the daemon: $rss KiB"
if grep -q -E 'lib[at]san' "/proc/$(main_pid)/maps"; then
  skip_check "memory" "sanitizer build"
else
  check "memory" [ "$rss" -le 16384 ]
fi
elapsed_ms systemctl stop nfstuned
check "stop takes less than 5 s ($took_ms ms)" [ "$took_ms" -lt 5000 ]
revive_server
finish
