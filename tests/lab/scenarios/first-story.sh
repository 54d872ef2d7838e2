#!/bin/bash
# lab: smoke kernels=6.12 timeout=600 memory=1024
#
# The editor save: export sync, client mounts with sync and 32 KiB transfers from fstab, a disk that
# needs 5 ms for a write, 0.5 ms of network. The installed service says what to change; changing just
# that by hand makes the save at least ten times as fast; dropping the sizes alone changes nothing.
# The advice is checked for v3 and v4.2, and a save of 1 MiB timed; first-story-full.sh has v4.0 too, and times 3 MiB on all.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project

stale=sync,rsize=32768,wsize=32768,bg,intr
versions=${versions:-3 4.2}
measured=${measured:-4.2}
save_kib=${save_kib:-1024}
target_of() { echo "/mnt/v${1//./}"; }
fstab_line() { printf '%s:/srv/data  %s  nfs  vers=%s,%s  0 0  # since 2009' "$server_ip" "$(target_of "$1")" "$1" "$stale"; }
advised_line() { printf '%s:/srv/data  %s  nfs  vers=%s,bg  0 0  # since 2009' "$server_ip" "$(target_of "$1")" "$1"; }

start_service() {
  printf '[daemon]\nspread = 0\npassive_interval = 2s\n' | nfstuned_config
  update_catalog
  cursor=$(journal_cursor)
  systemctl start nfstuned
}

fields="MESSAGE MESSAGE_ID PRIORITY NFSTUNED_EVENT NFSTUNED_MOUNT NFSTUNED_SOURCE NFSTUNED_SERVER NFSTUNED_RULE NFSTUNED_CONFIDENCE
  NFSTUNED_METHOD NFSTUNED_CURRENT NFSTUNED_PROPOSED NFSTUNED_DROP NFSTUNED_SET NFSTUNED_GAIN NFSTUNED_EVIDENCE NFSTUNED_FSTAB NFSTUNED_ROUND"

# every field that the design names is there, and those that can be known are right
check_fields() {
  local rule=$1 target=$2 version=$3 drop=$4 line
  wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=recommendation "NFSTUNED_RULE=$rule" "NFSTUNED_MOUNT=$target" >"$LAB_TMP/event" ||
    { fail "$rule on $target is recommended"; return; }
  # shellcheck disable=SC2086 # a list of names
  equal "$rule $version has every field" "" "$(jq -r '$ARGS.positional - keys | join(" ")' "$LAB_TMP/event" --args $fields)"
  equal "$rule $version priority is notice" 5 "$(jq -r .PRIORITY "$LAB_TMP/event")"
  equal "$rule $version confidence" configured "$(jq -r .NFSTUNED_CONFIDENCE "$LAB_TMP/event")"
  equal "$rule $version drops" "$drop" "$(jq -r .NFSTUNED_DROP "$LAB_TMP/event")"
  equal "$rule $version sets nothing" "" "$(jq -r .NFSTUNED_SET "$LAB_TMP/event")"
  equal "$rule $version source" "$server_ip:/srv/data" "$(jq -r .NFSTUNED_SOURCE "$LAB_TMP/event")"
  equal "$rule $version server" "$server_ip" "$(jq -r .NFSTUNED_SERVER "$LAB_TMP/event")"
  line=$(jq -r .NFSTUNED_FSTAB "$LAB_TMP/event")
  equal "$rule $version names the fstab line to write" "$(advised_line "$version")" "$line"
  check "$rule $version's message holds that line" jq -e --arg l "$line" '.MESSAGE | contains($l)' "$LAB_TMP/event"
  check "$rule $version has a catalog entry" sh -c "journalctl -x -n 1 MESSAGE_ID=$(jq -r .MESSAGE_ID "$LAB_TMP/event") | grep -q 'Subject:'"
}

check_advice() {
  local version target number old
  for version in $versions; do
    target=$(target_of "$version")
    check_fields sync-client "$target" "$version" sync
    check_fields stale-io-size "$target" "$version" rsize=32768,wsize=32768
    equal "stale-io-size $version promises no gain" "" "$(jq -r .NFSTUNED_GAIN "$LAB_TMP/event")"
  done
  # the write probes have ended, and nothing was said twice because of them
  for version in $versions; do
    check "a probe of v$version ended" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=probe "NFSTUNED_MOUNT=$(target_of "$version")"
  done
  for rule in sync-client stale-io-size; do
    for version in $versions; do
      equal "$rule v$version is recommended once" 1 \
        "$(journal_events recommendation "$rule" --since "$cursor" | jq -r .NFSTUNED_MOUNT | grep -c -x "$(target_of "$version")")"
    done
  done
  # a host under emulation may be too busy for its own round trips: "network" is not this scenario's matter
  number=$(wc -w <<<"$versions")
  case " $versions " in *" 4.0 "*) old="1 old-version " ;; *) old="" ;; esac
  equal "nothing else is recommended" "$number obsolete-option $old$number stale-io-size $number sync-client" \
    "$(journal_events recommendation --since "$cursor" | jq -r .NFSTUNED_RULE | grep -v -x network | sort | uniq -c | xargs)"
  check "no probe file is left" wait_for --timeout 60 no_test_files /srv/data
}

# The slow saves take many seconds each, and their hundreds of writes are a sample in themselves.
saves() { repeat "$2" editor_save_ms "$1" "$save_kib" | median; }

# remount TARGET: as an administrator would, from fstab
remount() { umount "$1" && systemctl daemon-reload && mount "$1"; }

measure() {
  local version=$1 target before sizes after
  target=$(target_of "$version")
  before=$(saves "$target" 1)
  sed -i "s|\( $target  nfs  vers=$version,sync\),rsize=32768,wsize=32768|\1|" /etc/fstab
  check "v$version: mounted with the sizes dropped" remount "$target"
  check "v$version: the sizes are negotiated" test "$(mount_option "$target" wsize)" -gt 32768
  check "v$version: still sync" mount_option "$target" sync
  sizes=$(saves "$target" 1)
  # the line of the journal, to the letter
  journal_events recommendation sync-client --since "$cursor" | jq -r --arg t "$target" 'select(.NFSTUNED_MOUNT == $t) | .NFSTUNED_FSTAB' >"$LAB_TMP/line"
  sed -i "\\| $target |d" /etc/fstab
  cat "$LAB_TMP/line" >>/etc/fstab
  check "v$version: mounted from the advised line" remount "$target"
  check_not "v$version: sync is gone" mount_option "$target" sync
  after=$(saves "$target" 5)
  note "v$version: editor save of $save_kib KiB: $before ms as it was, $sizes ms with the sizes dropped, $after ms as advised"
  check "v$version: as advised at least 10 x faster ($(ratio "$before" "$after"))" less 10 "$(ratio "$before" "$after")"
  # one save each, half a minute apart on a shared host: a factor below 2 is its noise, what helps here is a factor of 10 and more
  check "v$version: the sizes alone change nothing relevant ($(ratio "$before" "$sizes"))" \
    sh -c "awk -v r=$(ratio "$before" "$sizes") 'BEGIN {exit !(r > 0.5 && r < 2)}'"
}

case $LAB_PHASE in
  '')
    make_disk data 200 --delay-ms 5
    export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
    start_server
    persist_server
    slow_network 0.5
    for version in $versions; do
      mkdir -p "$(target_of "$version")"
      add_fstab "$(fstab_line "$version")"
      check "v$version mounts" mount "$(target_of "$version")"
    done
    assert_localio_off
    start_service
    check_advice
    for version in $measured; do measure "$version"; done
    # back to the old lines for the next boot
    sed -i '\| /mnt/v|d' /etc/fstab
    for version in $versions; do add_fstab "$(fstab_line "$version")"; done
    if [ "$LAB_FAILED" != 0 ]; then journal_json --since "$cursor" -u nfstuned | jq -r .MESSAGE; fi
    reboot_into again
    ;;
  again)
    for version in $versions; do
      check "v$version is mounted by the boot" wait_for --timeout 150 mount_option "$(target_of "$version")" sync
    done
    if [ "$LAB_FAILED" != 0 ]; then systemctl list-jobs; journalctl -b -u 'mnt-*' -u 'lab-*' --no-pager; fi
    slow_network 0.5
    assert_localio_off
    start_service
    check_advice
    ;;
esac
finish
