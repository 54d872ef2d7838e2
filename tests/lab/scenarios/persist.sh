#!/bin/bash
# lab: full kernels=6.12,6.1 timeout=900 memory=1024
#
# New options are written where the old ones came from: in fstab exactly the option fields change, whatever else stands there; a mount
# unit gets a drop-in, a default of nfsmount.conf is hidden by a section of this mount. A backup is made, the difference is shown,
# --dry-run writes nothing, and rollback --persist brings the old bytes back. After a reboot the options are still right.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
dropin=/etc/systemd/system/mnt-unit.mount.d/50-nfstuned.conf
snippet=/etc/nfsmount.conf.d/nfstuned.conf
blank='/mnt/with blank\and backslash'
other_name=filer.example # of the same server

# fstab_lines OLD|NEW: what stands in fstab before and after
fstab_lines() {
  local tabs='rw,nosuid,hard' blanks='defaults' # every option of the second goes
  if [ "$1" = OLD ]; then
    tabs='rw,sync,nosuid,rsize=32768,hard,wsize=32768'
    blanks='sync'
  fi
  printf '%s\n' '# /etc/fstab: nobody has tidied up here' '' '   # '"$server_ip"':/srv/tabs /mnt/tabs nfs sync,rsize=32768 0 0'
  printf '%s:/srv/tabs\t\t/mnt/tabs   nfs4\tvers=4.2,%s\t0  0\t# since 2009,  sync,rsize=32768\n' "$server_ip" "$tabs"
  printf ' %s:/srv/with\\040blank  /mnt/with\\040blank\\134and\\040backslash\tnfs   %s\n' "$server_ip" "$blanks"
  printf '%s:/srv/tabs/below\t/mnt/below nfs noauto,sync,rsize=32768 0 0\n\t\n' "$server_ip"
  printf '%s:/srv/conf /mnt/conf nfs vers=3 0 0\nthis line is broken\n' "$other_name"
  printf '%s' '# no newline at the end of this file'
}


write_sources() {
  cp /etc/fstab /root/fstab.lab
  { cat /root/fstab.lab; fstab_lines OLD; } >/etc/fstab
  { cat /root/fstab.lab; fstab_lines OLD; } >/root/fstab.old
  { cat /root/fstab.lab; fstab_lines NEW; } >/root/fstab.new
  chmod 640 /etc/fstab
  cat >/etc/systemd/system/mnt-unit.mount <<UNIT
[Unit]
Description=the administrator's own
[Mount]
What=$server_ip:/srv/unit
Where=/mnt/unit
Type=nfs
Options=vers=4.2,sync,nosuid,rsize=32768
[Install]
WantedBy=remote-fs.target
UNIT
  printf '[ Server "%s" ]\nrsize=32768\nSharecache=True\nwsize=32768\n' "$other_name" >>/etc/nfsmount.conf
  cp /etc/nfsmount.conf /root/nfsmount.conf.old
  systemctl daemon-reload
  systemctl -q enable mnt-unit.mount
}

set_up() {
  local dir number=10
  for dir in tabs 'with blank' unit conf; do
    number=$((number + 1))
    export_dir "/srv/$dir" "rw,sync,no_root_squash,fsid=$number" # of its own: no shared superblock
  done
  echo "$server_ip $other_name" >>/etc/hosts
  start_server
  persist_server
  mkdir -p /mnt/tabs "$blank" /mnt/unit /mnt/conf /mnt/below
  write_sources
  assert_localio_off
  mount /mnt/tabs
  mount "$blank"
  mount /mnt/conf
  systemctl start mnt-unit.mount
}

# configuration: print what holds from the beginning. A fast disk does not show that the exports are sync.
configuration() {
  printf '[daemon]\nspread = 0\npassive_interval = 2s\n[mount tabs]\npath = /mnt/tabs\nexport = sync\n'
  printf '[mount blank]\npath = %s\nexport = sync\n[mount unit]\npath = /mnt/unit\nexport = sync\n' "$blank"
}

fstab_is() { cmp /etc/fstab "/root/fstab.$1"; }

# ---- by hand, with --persist
by_hand() {
  ctl apply --dry-run --persist /mnt/tabs
  equal "dry run: planned" 0 "$status"
  check "dry run: shows the difference" said '^\+.*|nothing was changed.*\+'"$server_ip:/srv/tabs"
  check "dry run: fstab is untouched" fstab_is old
  equal "dry run: no backup" "" "$(ls /etc/fstab.* 2>/dev/null)"
  check "dry run: the mount is untouched" mount_option /mnt/tabs sync

  ctl apply --persist /mnt/tabs
  equal "applied and written" 0 "$status"
  sed "s/^/#   /" <(diff /root/fstab.old /etc/fstab || true)
  equal "one line was exchanged" "1 1" "$(diff /root/fstab.old /etc/fstab | grep -c '^<') $(diff /root/fstab.old /etc/fstab | grep -c '^>')"
  check "the difference is shown" said '--- /etc/fstab'
  check "it names the line that comes" said "\\+$server_ip:/srv/tabs"
  check "the backup is the old file" cmp /root/fstab.old /etc/fstab.nfstuned-backup
  ctl apply --persist "$blank"
  equal "blanks: applied and written" 0 "$status"
  check "fstab is as it has to be, to the byte" fstab_is new
  diff /root/fstab.new /etc/fstab | sed 's/^/# /' || true
  equal "its mode stays" 640 "$(stat -c %a /etc/fstab)"
  equal "systemd has read it: no warning of an old fstab" no "$(systemctl show -P NeedDaemonReload mnt-tabs.mount)"
  equal "only one backup" /etc/fstab.nfstuned-backup "$(ls /etc/fstab?*)"

  ctl rollback --persist "$blank"
  equal "blanks: rolled back" 0 "$status"
  check "blanks: sync is back on the mount" status_is "$blank" '.history.rolled_back' true
  ctl rollback --persist /mnt/tabs
  equal "rolled back" 0 "$status"
  check "the old line is back to the byte" fstab_is old
  diff /root/fstab.old /etc/fstab | sed 's/^/# /' || true
  check "and on the mount" mount_option /mnt/tabs sync

  ctl apply --persist "$blank"
  ctl apply --persist /mnt/tabs
  check "once more: fstab is as it has to be" fstab_is new
}

# ---- by itself, with persist = yes
automatic() {
  cursor=$(journal_cursor)
  {
    configuration
    printf '[apply]\npersist = yes\n[mount unit]\nmode = auto-remount\n[mount conf]\npath = /mnt/conf\nmode = auto-remount\n'
  } | nfstuned_config
  systemctl reload nfstuned
  check "unit: verified" wait_event verified /mnt/unit "$cursor"
  check "conf: verified" wait_event verified /mnt/conf "$cursor"
  sed 's/^/#   /' "$dropin" "$snippet"
  equal "the unit has a drop-in" "Options=vers=4.2,nosuid" "$(grep ^Options= "$dropin")"
  equal "systemd has read it" "$dropin no" "$(systemctl show -P DropInPaths mnt-unit.mount) $(systemctl show -P NeedDaemonReload mnt-unit.mount)"
  equal "the unit's own file is untouched" "Options=vers=4.2,sync,nosuid,rsize=32768" "$(grep ^Options= /etc/systemd/system/mnt-unit.mount)"
  equal "the unit is still active" active "$(systemctl is-active mnt-unit.mount)"
  check "nfsmount.conf: a section for this mount" grep -q 'MountPoint "/mnt/conf"' "$snippet"
  check "the file with the default is untouched" cmp /etc/nfsmount.conf /root/nfsmount.conf.old
  check "fstab is untouched" fstab_is new

  ctl rollback --persist /mnt/unit
  equal "unit: rolled back" 0 "$status"
  check_not "unit: the drop-in is gone" test -e "$dropin"
  ctl rollback --persist /mnt/conf
  equal "conf: rolled back" 0 "$status"
  check_not "conf: the section is gone" grep -q 'MountPoint "/mnt/conf"' "$snippet"
  ctl apply /mnt/unit # persist = yes holds for it, too
  check "unit: written again" test -e "$dropin"
  ctl apply --persist /mnt/conf
  check "conf: written again" grep -q 'MountPoint "/mnt/conf"' "$snippet"
  equal "nobody else is blamed" "" "$(nfstunectl status --json | jq -r '.mounts[].history.outside_usec // empty')"
  journal_story "$cursor"
}

after_reboot() {
  local target
  check "fstab is as it was written" fstab_is new
  for target in /mnt/tabs "$blank" /mnt/unit /mnt/conf; do
    check "$target: judged" wait_for --timeout 180 status_is "$target" '.state != "new"' true
    note "$target: $(awk -v t="$target" '$5 == t' <(sed 's/\\040/ /g' /proc/self/mountinfo))"
    systemctl cat "$(systemd-escape --path --suffix=mount "$target")" | sed 's/^/#   /'
    ctl advice "$target"
    equal "$target: nothing to do" "ok 0 0 1048576 1048576" "$(status_of "$target" '"\(.state) \(.recommendations) \(.questions) \(.rsize) \(.wsize)"')"
  done
  equal "no mount is sync" "" "$(findmnt -n -t nfs,nfs4 -O sync -o TARGET || true)"
  ctl rollback /mnt/tabs
  check "there is nothing to take back any more" said "not changed since the host was started"
  check "fstab stays" fstab_is new
}

case $LAB_PHASE in
  '')
    set_up
    configuration | nfstuned_config
    systemctl enable -q nfstuned
    systemctl start nfstuned
    for target in /mnt/tabs "$blank" /mnt/unit; do check "$target: advice" wait_advice "$target" sync-client; done
    check "/mnt/conf: advice" wait_advice /mnt/conf stale-io-size
    by_hand
    automatic
    reboot_into again
    ;;
  again) after_reboot ;;
esac
finish
