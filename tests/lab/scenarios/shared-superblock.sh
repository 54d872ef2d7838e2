#!/bin/bash
# lab: full kernels=6.12,6.1 timeout=900 memory=1024
#
# sync -> async is made on the living superblock, for all of its mounts: the others are named before it and in the journal, each keeps its
# own flags, files stay open, and rollback makes it sync again. `mode = recommend` on one of them keeps automatic mode from it. The
# read-ahead that somebody has set survives a replace.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh

# exports with ids of their own are file systems of their own
export_dir /srv/data rw,sync,no_root_squash,fsid=11
export_dir /srv/veto rw,sync,no_root_squash,fsid=12
export_dir /srv/ahead rw,sync,no_root_squash,fsid=13
in_server mkdir -p /srv/data/below
start_server
mount_as 4.2 /mnt/one /srv/data sync,nosuid,noatime
mount_as 4.2 /mnt/two /srv/data sync,nodev,noexec
mount_as 4.2 /mnt/below /srv/data/below sync
mkdir -p /mnt/bound
mount --bind /mnt/one /mnt/bound
mount -o remount,bind,ro,nosuid /mnt/bound
mount_as 4.2 /mnt/vetoed /srv/veto sync
mount_as 4.2 /mnt/vetoing /srv/veto sync
mount_as 4.2 /mnt/ahead /srv/ahead rsize=32768,wsize=32768
assert_localio_off
mounts="/mnt/one /mnt/two /mnt/below /mnt/bound"
for target in $mounts; do equal "$target shares the superblock" "$(mount_device /mnt/one)" "$(mount_device "$target")"; done
equal "so do the other two" "$(mount_device /mnt/vetoed)" "$(mount_device /mnt/vetoing)"
check_not "of another superblock" [ "$(mount_device /mnt/vetoed)" = "$(mount_device /mnt/one)" ]
# and one in a mount namespace of its own, where an unmount does not reach
unshare --mount --propagation private sleep infinity &
elsewhere=$!

configure() {
  {
    printf '[daemon]\nmode = %s\nspread = 0\npassive_interval = 2s\n' "$1"
    printf '[mount vetoed]\npath = /mnt/vetoed\nexport = sync\n' # which a fast disk does not show
    printf '[mount %s]\npath = /mnt/%s\nmode = recommend\nexport = sync\n' vetoing vetoing one one two two below below bound bound ahead ahead
  } | nfstuned_config
}
configure recommend
cursor=$(journal_cursor)
systemctl start nfstuned
for target in /mnt/one /mnt/vetoed; do check "$target: advice" wait_advice "$target" sync-client; done
check "/mnt/ahead: advice" wait_advice /mnt/ahead stale-io-size

declare -A before=()
for target in $mounts; do before[$target]=$(mount_options "$target"); done
superblock() { stat -f -c %i /mnt/one; mount_device /mnt/one; mount_id /mnt/one; mount_id /mnt/two; }
same=$(superblock)

# ---- named beforehand
ctl apply --dry-run /mnt/one
equal "dry run: planned" 0 "$status"
for target in /mnt/two /mnt/below /mnt/bound; do check "dry run names $target" said "$target"; done
check "dry run names the other namespace" said "namespace"
check "dry run says that it is for everybody" said "everybody at once"
for target in $mounts; do equal "dry run: $target is as before" "${before[$target]}" "$(mount_options "$target")"; done

# ---- live, with a writer and a reader
exec 7>>/mnt/two/written
echo one >&7
(while [ -e "$LAB_TMP/go" ]; do echo x >>/mnt/one/loop || echo failed; stat /mnt/bound/written >/dev/null || echo failed; done) >"$LAB_TMP/loop" 2>&1 &
touch "$LAB_TMP/go"
ctl apply /mnt/one
equal "applied" 0 "$status"
rm "$LAB_TMP/go"
wait "$!"
equal "nobody noticed" "" "$(cat "$LAB_TMP/loop")"
echo two >&7
exec 7>&-
equal "all bytes are on the server" "one two" "$(in_server cat /srv/data/written | xargs)"
for target in $mounts; do
  check_not "$target: no longer sync" mount_option "$target" sync
  equal "$target: all else is as before" "" "$(other_options "${before[$target]}" "$(mount_options "$target")" sync)"
done
check_not "in the other namespace neither" grep -E ' /mnt/two .*[ ,]sync(,|$)' "/proc/$elsewhere/mountinfo"
equal "the same superblock and mounts" "$same" "$(superblock)"
check_not "the read-only bind is still read-only" touch /mnt/bound/file
check "the writable one is writable" touch /mnt/one/file
check "the journal knows it" wait_event applied /mnt/one "$cursor" 10
equal "it was live" live "$(journal_events applied --since "$cursor" | jq -r .NFSTUNED_METHOD)"
for target in /mnt/two /mnt/below /mnt/bound; do
  check "the journal names $target" grep -q "$target" <<<"$(journal_events applied --since "$cursor" | jq -r '"\(.NFSTUNED_SHARES) \(.MESSAGE)"')"
done
check "status: nothing to do for any of them" wait_for --timeout 60 status_is /mnt/one .state ok
equal "nobody else is blamed" "" "$(nfstunectl status --json | jq -r '.mounts[].history.outside_usec // empty')"

ctl rollback /mnt/one
equal "rolled back" 0 "$status"
for target in $mounts; do equal "$target: as before" "$(tr ',' '\n' <<<"${before[$target]}" | sort)" "$(mount_options "$target" | tr ',' '\n' | sort)"; done
kill "$elsewhere"

# ---- vetoed
cursor=$(journal_cursor)
configure auto-remount
systemctl reload nfstuned
check "vetoed: refused" wait_event refused /mnt/vetoed "$cursor"
check "vetoed: by whom" grep -q /mnt/vetoing <<<"$(journal_events refused --since "$cursor" | jq -r .MESSAGE)"
check "vetoed: status says so" wait_for status_is /mnt/vetoed .refusal.name sharer
check "vetoed: still sync" mount_option /mnt/vetoed sync
check "vetoing: still sync" mount_option /mnt/vetoing sync
equal "nothing was applied" 0 "$(count_events applied --since "$cursor")"

# ---- the read-ahead
ahead() { cat "/sys/class/bdi/$(mount_device /mnt/ahead)/read_ahead_kb"; }
echo 4096 >"/sys/class/bdi/$(mount_device /mnt/ahead)/read_ahead_kb"
device=$(mount_device /mnt/ahead)
ctl apply /mnt/ahead
equal "read-ahead: replaced" 0 "$status"
check_not "read-ahead: a new superblock" [ "$device" = "$(mount_device /mnt/ahead)" ]
equal "read-ahead: as it was set" 4096 "$(ahead)"
udevadm settle
sleep 5
equal "read-ahead: and stays" 4096 "$(ahead)"
ctl rollback /mnt/ahead
equal "read-ahead: rolled back" 0 "$status"
udevadm settle
equal "read-ahead: after the way back, too" 4096 "$(ahead)"
journal_story "$cursor"
finish
