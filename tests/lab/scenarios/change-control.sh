#!/bin/bash
# lab: smoke kernels=6.12 timeout=600 memory=1024
#
# Who may change what, and the ways back, in short: a user is refused, forged requests change nothing; a live change names the other
# mount of the superblock, and its `mode = recommend` keeps automatic mode away; what is slower is taken back and not written; fstab is
# changed by the option field alone, and put back to the byte; an administrator's remount is respected.
# In full: bus-security.sh, shared-superblock.sh, persist.sh, rollback.sh.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh

export_dir /srv/fstab rw,sync,no_root_squash,fsid=11 # of its own: no shared superblock
export_dir /srv/data rw,sync,no_root_squash,fsid=12
start_server
cp /etc/fstab /root/fstab.lab
# fstab_with OPTIONS LAST: print a file that nobody has tidied up, without a newline at its end
fstab_with() {
  cat /root/fstab.lab
  printf '# /srv/fstab, sync,rsize=32768\n%s:/srv/fstab\t\t/mnt/fs\\040tab   nfs4\tvers=4.2,%s%s\n# the end' "$server_ip" "$1" "$2"
}
fstab_with rw,sync,nosuid,rsize=32768,wsize=32768 '' >/root/fstab.old
fstab_with rw,nosuid '' >/root/fstab.new
cp /root/fstab.old /etc/fstab
systemctl daemon-reload
mkdir -p '/mnt/fs tab'
mount '/mnt/fs tab'
mount_as 4.2 /mnt/one /srv/data sync,nosuid
mount_as 4.2 /mnt/two /srv/data sync,nodev
assert_localio_off
equal "two mounts of one superblock" "$(mount_device /mnt/one)" "$(mount_device /mnt/two)"
cursor=$(journal_cursor)
automatic_mode '[mount one]' 'path = /mnt/one' 'export = sync' '[mount two]' 'path = /mnt/two' 'mode = recommend' \
  '[mount fstab]' 'path = /mnt/fs tab' 'mode = recommend' 'export = sync' # which a fast disk does not show
systemctl start nfstuned

# ---- vetoed by the other one
check "vetoed: refused" wait_event refused /mnt/one "$cursor"
check "vetoed: by whom" grep -q /mnt/two <<<"$(event_of refused /mnt/one "$cursor" | jq -r .MESSAGE)"
check "fstab: advice" wait_advice '/mnt/fs tab' sync-client
equal "nothing is changed" "sync sync sync" "$(mount_option /mnt/one sync) $(mount_option /mnt/two sync) $(mount_option '/mnt/fs tab' sync)"

# ---- not by everybody
before=$(grep ' /mnt/' /proc/self/mountinfo)
nfstunectl() { runuser -u nobody -- /usr/bin/env nfstunectl "$@"; }
ctl apply /mnt/one
unset -f nfstunectl
equal "a user's apply: status" 1 "$status"
check "a user's apply: told why" said 'only root'
ln -s /mnt/one /mnt/link
check_not "an apply of a link" busctl call org.nfstuned1 /org/nfstuned1 org.nfstuned1.Manager Apply sassbb /mnt/link 0 wait false false
now=$(asked /mnt/one)
forged() { request "$1" /mnt/one sync "$now" "$(without "$now" sync)" "$2" | ask_helper | jq -r 'if .error or .end == "refused" then "no" else . end'; }
equal "an unknown option" no "$(forged replace '.staging.to += ",sesame=open" | .staging.keys += ",sesame"')"
equal "another mount id" no "$(forged live '.mount.mount_id += 1')"
equal "no NFS mount" no "$(forged replace ".mount.target = \"/run\"")"
equal "none of it has changed anything" "$before" "$(grep ' /mnt/' /proc/self/mountinfo)"

# ---- live, for both of them
ctl apply --dry-run /mnt/one
equal "dry run: planned" 0 "$status"
check "dry run: names the other mount" said /mnt/two
ctl apply /mnt/one
equal "applied" 0 "$status"
equal "both are async, the flags as before" "nosuid nodev" "$(mount_option /mnt/one nosuid) $(mount_option /mnt/two nodev)$(mount_option /mnt/one sync)$(mount_option /mnt/two sync)"
ctl rollback /mnt/one
equal "rolled back" "0 sync sync" "$status $(mount_option /mnt/one sync) $(mount_option /mnt/two sync)"

# ---- slower, and taken back by itself
delay_large 1500 # more than async gains
ctl apply --persist '/mnt/fs tab'
equal "slower: taken back" 1 "$status"
check "slower: told why" said 'slower'
check "slower: the event" event_of rolled-back '/mnt/fs tab' "$cursor"
equal "slower: the old options" "sync 32768 32768" "$(mount_option '/mnt/fs tab' sync) $(mount_option '/mnt/fs tab' rsize) $(mount_option '/mnt/fs tab' wsize)"
check "slower: nothing is written" cmp /etc/fstab /root/fstab.old
fast_network

# ---- kept, and written
ctl apply --persist '/mnt/fs tab'
equal "written: applied" 0 "$status"
diff /root/fstab.old /etc/fstab | sed 's/^/#   /' || true
check "written: the option field and nothing else" cmp /etc/fstab /root/fstab.new
check "written: a backup" cmp /etc/fstab.nfstuned-backup /root/fstab.old
check "written: the difference is shown" said '--- /etc/fstab'
ctl rollback --persist '/mnt/fs tab'
equal "taken back" "0 sync" "$status $(mount_option '/mnt/fs tab' sync)"
check "taken back: the old file to the byte" cmp /etc/fstab /root/fstab.old

# ---- the administrator wins
mount -o remount,async /mnt/one
outside() { [ "$(status_of /mnt/one .history.outside_usec)" -gt 0 ]; }
check "a remount is noticed" wait_for --timeout 120 outside
ctl rollback /mnt/one
check "and not taken back" said 'somebody else changed|taken back already'
check_not "it is as the administrator wants it" mount_option /mnt/one sync
equal "no record is left" "" "$(records)"
journal_story "$cursor"
finish
