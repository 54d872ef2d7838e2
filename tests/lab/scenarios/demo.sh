#!/bin/bash
# lab: full kernels=6.12 timeout=300 memory=1024
#
# What `make run` shows on a host without NFS mounts: the first story, on the terminal.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project

step() { printf '\n\033[1m%s\033[0m\n' "$*"; }

step "A server: export sync, a disk that needs 5 ms for a write, 0.5 ms of network"
make_disk data 200 --delay-ms 5
export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
slow_network 0.5
in_server exportfs -v

step "A client with this line in /etc/fstab"
mkdir -p /data
line="$server_ip:/srv/data /data nfs vers=4.2,sync,rsize=32768,wsize=32768,bg,intr 0 0"
add_fstab "$line"
echo "$line"
check "it mounts" mount /data
assert_localio_off
step "What the kernel made of it"
grep ' /data ' /proc/mounts
printf '\nSaving 3 MiB as an editor does (384 writes of 8 KiB); with these options it takes its time.\n'
before=$(editor_save_ms /data)
printf 'The save: %s ms\n' "$before"

step "systemctl start nfstuned; journalctl -t nfstuned"
printf '[daemon]\nspread = 0\npassive_interval = 1s\n' | nfstuned_config
cursor=$(journal_cursor)
systemctl start nfstuned
shown() { wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=recommendation "NFSTUNED_RULE=$1" >"$LAB_TMP/$1"; }
for rule in sync-client stale-io-size; do
  check "$rule is recommended" shown "$rule"
  jq -r '"\n" + .MESSAGE' "$LAB_TMP/$rule" | fold -s -w 100
done

advised=$(jq -r .NFSTUNED_FSTAB "$LAB_TMP/sync-client")
step "By hand, as advised: $advised"
sed -i '\| /data |d' /etc/fstab
add_fstab "$advised"
umount /data
check "the advised line mounts" mount /data
grep ' /data ' /proc/mounts
after=$(repeat 3 editor_save_ms /data | median)
printf '\nThe same save: %s ms, before: %s ms. That is %s times as fast.\n\n' "$after" "$before" "$(ratio "$before" "$after")"
check "it is faster" less "$after" "$before"
finish
