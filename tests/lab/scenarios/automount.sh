#!/bin/bash
# lab: smoke kernels=6.12 timeout=300 memory=1024
#
# An x-systemd.automount with an idle time-out still expires while the service runs, and is not written to.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project

export_dir /srv/auto rw,sync,no_root_squash,no_subtree_check
start_server
mkdir -p /mnt/auto
add_fstab "$server_ip:/srv/auto /mnt/auto nfs vers=4.2,sync,noauto,x-systemd.automount,x-systemd.idle-timeout=5s 0 0"
systemctl start mnt-auto.automount

mounted() { grep -q ' /mnt/auto .* - nfs4 ' /proc/self/mountinfo; }
expired() { ! mounted; }

printf '[daemon]\nspread = 0\ninterval = 10s\npassive_interval = 1s\n' | nfstuned_config
cursor=$(journal_cursor)
systemctl start nfstuned
check_not "the service does not trigger the automount" mounted
check "somebody does" ls /mnt/auto
check "it is mounted" mounted
check "the service sees it" wait_for_journal --timeout 30 --since "$cursor" NFSTUNED_EVENT=recommendation NFSTUNED_RULE=sync-client NFSTUNED_MOUNT=/mnt/auto
check "it expires with the service running" wait_for --timeout 90 expired
check "the service still runs" systemctl is-active nfstuned
check "again: used" ls /mnt/auto
check "again: it expires" wait_for --timeout 90 expired
equal "nothing was ever written there" "" "$(in_server find /srv/auto -mindepth 1)"
finish
