#!/bin/bash
# lab: smoke kernels=6.12 timeout=300 memory=1024
#
# Nothing to improve: no recommendation, quiet rounds, one info line a day.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project

make_disk data 100 --delay-ms 5
export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
slow_network 0.5
mkdir -p /mnt/v3 /mnt/v42
add_fstab "$server_ip:/srv/data /mnt/v3 nfs vers=3 0 0"
add_fstab "$server_ip:/srv/data /mnt/v42 nfs vers=4.2,_netdev 0 0"
check "both mount" mount -a -t nfs,nfs4
assert_localio_off

printf '[daemon]\nspread = 0\ninterval = 10s\npassive_interval = 1s\n' | nfstuned_config
cursor=$(journal_cursor)
check "the service starts" systemctl start nfstuned
for target in /mnt/v3 /mnt/v42; do
  check "$target is probed" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=probe NFSTUNED_MOUNT=$target
done
check "the daily info line" wait_for_journal --timeout 30 --since "$cursor" NFSTUNED_EVENT=nothing-to-change PRIORITY=6
probes=$(count_events probe --since "$cursor")
more_probes() { [ "$(count_events probe --since "$cursor")" -gt $((probes + 1)) ]; }
check "later probes come" wait_for --timeout 60 more_probes
note "$(journal_events recommendation --since "$cursor" | jq -r .MESSAGE)"
equal "nothing is recommended" 0 "$(count_events recommendation --since "$cursor")"
equal "one info line, not one a round" 1 "$(count_events nothing-to-change --since "$cursor")"
equal "nothing above debug but that line and the start" "nothing-to-change started" \
  "$(journal_json --since "$cursor" -t nfstuned | jq -r 'select((.PRIORITY | tonumber) < 7) | .NFSTUNED_EVENT // .MESSAGE' | sort | xargs)"
check "no probe file is left" wait_for --timeout 60 no_test_files /srv/data
check "the state is active" systemctl is-active nfstuned
note "$(systemctl show -p StatusText nfstuned)"

check "--once agrees" nfstuned --once --json --passive
nfstuned --once --json >"$LAB_TMP/once.json"
equal "--once: two mounts" 2 "$(jq '.mounts | length' "$LAB_TMP/once.json")"
equal "--once: no recommendation" 0 "$(jq '[.mounts[].recommendations[]] | length' "$LAB_TMP/once.json")"
check "--once speaks to a person" sh -c "nfstuned --once /mnt/v3 2>&1 | tee /dev/stderr | grep -q /mnt/v3"
finish
