#!/bin/bash
# lab: smoke kernels=6.12 timeout=420 memory=1024
#
# Two exports of one disk, one async, one sync: told apart by the latency of stable writes at two sizes.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project

make_disk data 100 --delay-ms 20
export_dir /srv/data/async rw,async,no_root_squash,no_subtree_check
export_dir /srv/data/sync rw,sync,no_root_squash,no_subtree_check
start_server
slow_network 0.5
for version in 3 4.2; do
  mount_as "$version" "/mnt/async-$version" /srv/data/async nosharecache
  mount_as "$version" "/mnt/sync-$version" /srv/data/sync nosharecache
done
assert_localio_off

# It takes two probes in a row, and on a machine under emulation one may find the server's own work too slow to tell.
printf '[daemon]\nspread = 0\ninterval = 10s\npassive_interval = 1s\n' | nfstuned_config
cursor=$(journal_cursor)
systemctl start nfstuned
for version in 3 4.2; do
  for kind in async sync; do
    check "v$version $kind is probed" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=probe "NFSTUNED_MOUNT=/mnt/$kind-$version"
  done
  check "v$version: the async export is reported" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=recommendation \
    NFSTUNED_RULE=async-export "NFSTUNED_MOUNT=/mnt/async-$version"
  wait_for_journal --since "$cursor" NFSTUNED_EVENT=recommendation NFSTUNED_RULE=async-export "NFSTUNED_MOUNT=/mnt/async-$version" >"$LAB_TMP/event" || true
  equal "v$version: as possible" possible "$(jq -r .NFSTUNED_CONFIDENCE "$LAB_TMP/event")"
  equal "v$version: a matter of the server" server "$(jq -r .NFSTUNED_METHOD "$LAB_TMP/event")"
  equal "v$version: nothing is proposed for the client" "" "$(jq -r '.NFSTUNED_DROP + .NFSTUNED_SET + .NFSTUNED_FSTAB' "$LAB_TMP/event")"
  check "v$version: in the words of the rule table" jq -e '.MESSAGE | contains("async export or non-volatile cache") and contains("exportfs -v")' "$LAB_TMP/event"
  note "$(jq -r .NFSTUNED_EVIDENCE "$LAB_TMP/event")"
done
probed_twice() { [ "$(journal_events probe --since "$cursor" | jq -r .NFSTUNED_MOUNT | grep -c -x "$1")" -gt 1 ]; }
for version in 3 4.2; do
  check "v$version: the sync export was probed more than once" wait_for --timeout 60 probed_twice "/mnt/sync-$version"
done
equal "only for the async export" "/mnt/async-3 /mnt/async-4.2" "$(journal_events recommendation --since "$cursor" |
  jq -r 'select(.NFSTUNED_RULE == "async-export") | .NFSTUNED_MOUNT' | sort -u | xargs)"

# the administrator knows better
cat <<'END' | nfstuned_config known
[mount battery]
path = /mnt/async-3
stable_storage = yes
[mount proven]
path = /mnt/async-4.2
export = async
END
nfstuned --once --json >"$LAB_TMP/once.json"
rules_of() { jq -r --arg t "$1" '.mounts[] | select(.target == $t) | .recommendations[] | select(.rule == "async-export") |
  .rule + " " + .confidence' "$LAB_TMP/once.json"; }
equal "stable_storage = yes: quiet" "" "$(rules_of /mnt/async-3)"
equal "export = async: proved" "async-export configured" "$(rules_of /mnt/async-4.2)"
equal "the sync export: quiet" "" "$(rules_of /mnt/sync-3)"
finish
