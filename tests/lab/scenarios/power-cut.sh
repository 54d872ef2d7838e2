#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1800 memory=1024
#
# The client loses power while a mount is staged, while mounts are moved, and when it is done but not remembered: after the boot the
# path is mounted as fstab says, the record of the other boot is thrown away without touching anything, and the journal says so. And
# while fstab is written: it is the old or the new file.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
stale=rsize=32768,wsize=32768

start_service() {
  cursor=$(journal_cursor)
  check "the service starts" systemctl start nfstuned
  check "something is to be done" wait_for --timeout 60 status_is /mnt/data .state advice
}

# cut_at PHASE CALL WHERE N COMMAND…: a change is held there, which COMMAND notices; then the power goes
cut_at() {
  local phase=$1 call=$2 where=$3 n=$4
  shift 4
  hold_helper_at "$call" "$where" "$n"
  # shellcheck disable=SC2086 # words
  timeout 300 nfstunectl apply /mnt/data ${apply_options:-} >"$LAB_TMP/apply" 2>&1 &
  check "held on the way to $phase" wait_for --timeout 60 "$@"
  if [ "$LAB_FAILED" != 0 ]; then
    note "$(cat "$LAB_TMP/apply")"
    diff /root/fstab.new /etc/fstab || journal_story "$cursor"
  fi
  sleep 1
  power_cut_into "$phase"
}
told() { journal_json --since "$cursor" -t nfstuned | jq -r .MESSAGE | grep -q "$1"; }
no_record() { [ -z "$(records)" ]; }

# after_cut NAME STEP: what has to hold after the boot
after_cut() {
  let_helpers_run
  equal "$1: mounted once, from fstab" "1 32768" "$(mounts_at /mnt/data) $(mount_option /mnt/data rsize)"
  equal "$1: the record is on the disk" "$2" "$(record_step)"
  local id
  id=$(mount_id /mnt/data)
  start_service
  check "$1: the record is thrown away" wait_for no_record
  check "$1: and that is told" told '/mnt/data: a change that was begun before this boot is over'
  equal "$1: the mount was not touched" "$id 1" "$(mount_id /mnt/data) $(mounts_at /mnt/data)"
  check "$1: it works" timeout 30 ls /mnt/data
}
old_fstab() { cmp -s /etc/fstab /root/fstab.old; }
new_fstab() { cmp -s /etc/fstab /root/fstab.new; }

case $LAB_PHASE in
  '')
    export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
    start_server
    persist_server
    mkdir -p /mnt/data
    printf '# the tools\t of 2009\n' >>/etc/fstab
    add_fstab "$server_ip:/srv/data	/mnt/data   nfs	vers=4.2,$stale,nosuid	0 0 # keep"
    printf 'none /mnt/other tmpfs noauto\n' >>/etc/fstab
    cp /etc/fstab /root/fstab.old
    sed "s/,$stale//" /etc/fstab >/root/fstab.new
    check "it mounts" mount /mnt/data
    assert_localio_off
    printf '[daemon]\nspread = 0\npassive_interval = 2s\n' | nfstuned_config
    sync
    start_service
    cut_at staging fsmount exit 1 record_is staging
    ;;
  staging)
    after_cut "cut while it was staged" staging
    cut_at moving move_mount exit 3 record_is beneath
    ;;
  moving)
    after_cut "cut while mounts were moved" beneath
    cut_at "done" renameat exit 3 record_is "done"
    ;;
  "done")
    after_cut "cut before it was remembered" "done"
    check "now it is changed" timeout 200 nfstunectl apply /mnt/data
    equal "fstab is as it was" 0 "$(cmp /etc/fstab /root/fstab.old >/dev/null; echo $?)"
    # the options hold already: only fstab is written, a backup first
    apply_options=--persist
    cut_at written renameat enter 2 test -e /etc/fstab.nfstuned-backup
    ;;
  written)
    let_helpers_run
    check "cut before the new fstab took its place: it is the old one" old_fstab
    equal "mounted as it says" "1 32768" "$(mounts_at /mnt/data) $(mount_option /mnt/data rsize)"
    start_service
    check "changed again" timeout 200 nfstunectl apply /mnt/data
    apply_options=--persist
    cut_at renamed renameat exit 2 new_fstab
    ;;
  renamed)
    let_helpers_run
    if new_fstab; then
      pass "cut before the directory was synced: fstab is the new one"
      equal "mounted as it says" "1 1048576" "$(mounts_at /mnt/data) $(mount_option /mnt/data rsize)"
    else
      check "cut before the directory was synced: fstab is the old one" old_fstab
      equal "mounted as it says" "1 32768" "$(mounts_at /mnt/data) $(mount_option /mnt/data rsize)"
    fi
    note "left in /etc: $(find /etc -maxdepth 1 -name '*fstab*' -printf '%f ' | sort)"
    ;;
esac
finish
