#!/bin/bash
# lab: smoke kernels=6.12 timeout=300 memory=1024
#
# The server comes back with a smaller limit than the mounts' sizes: limit-below-size, urgent, within one interval; nothing
# is written while it stands, since a larger WRITE would hang; and it is resolved when the limit is back.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
# shellcheck source=tests/lab/scenarios/common/faults.sh
. /lab/scenarios/common/faults.sh
require_project

export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server --block-size 1048576
versions=${LIMIT_VERSIONS:-3 4.2}
for version in $versions; do
  mount_as "$version" "/mnt/v$version" /srv/data
  equal "v$version starts with 1 MiB" 1048576 "$(mount_option "/mnt/v$version" wsize)"
done
assert_localio_off
short_intervals
cursor=$(journal_cursor)
systemctl start nfstuned
for version in $versions; do
  check "v$version is probed" wait_for --timeout 60 has_written "/mnt/v$version" "$cursor"
done
equal "nothing to say of it at first" 0 "$(count_events recommendation limit-below-size --since "$cursor")"

cursor=$(journal_cursor)
restart_server --block-size 65536
end_grace
for version in $versions; do
  # one interval is at most 12.5 s, and a probe's deadline comes on top
  check "v$version: within one interval" wait_for_journal --timeout 25 --since "$cursor" NFSTUNED_EVENT=recommendation NFSTUNED_RULE=limit-below-size \
    "NFSTUNED_MOUNT=/mnt/v$version"
  journal_json --since "$cursor" NFSTUNED_RULE=limit-below-size "NFSTUNED_MOUNT=/mnt/v$version" | head -n 1 >"$LAB_TMP/event"
  equal "v$version: priority error" 3 "$(jq -r .PRIORITY "$LAB_TMP/event")"
  equal "v$version: a replacement" replace "$(jq -r .NFSTUNED_METHOD "$LAB_TMP/event")"
  check "v$version: the evidence names the limit" jq -e '.NFSTUNED_EVIDENCE | test("65,?536|64 ?KiB")' "$LAB_TMP/event"
  note "$(jq -r .MESSAGE "$LAB_TMP/event")"
done
silent=$(journal_cursor)
for version in $versions; do
  check "v$version: one more round" wait_for --timeout 60 has_events_of probe "/mnt/v$version" "$silent" 1
  equal "v$version: said once" 1 "$(journal_json --since "$cursor" NFSTUNED_RULE=limit-below-size NFSTUNED_EVENT=recommendation "NFSTUNED_MOUNT=/mnt/v$version" | wc -l)"
done
check "no helper hangs" wait_for --timeout 20 no_helper
check "nothing was written" no_own_files /srv/data
equal "nobody is called unresponsive" 0 "$(count_events unresponsive --since "$cursor")"

cursor=$(journal_cursor)
restart_server --block-size 1048576
end_grace
for version in $versions; do
  check "v$version: resolved when the limit is back" wait_for_journal --timeout 40 --since "$cursor" NFSTUNED_EVENT=resolved \
    NFSTUNED_RULE=limit-below-size "NFSTUNED_MOUNT=/mnt/v$version"
done
finish
