#!/bin/bash
# lab: smoke kernels=6.1 timeout=900 memory=1024
#
# systemd's view of a replace: a .mount unit of its own and one that comes from fstab stay active, services bound to them are not
# stopped, the unit's Options= follow; in automatic mode, and then $repeats times in a row. At the end the units still unmount.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh
repeats=${repeats:-3}

make_disk data 200 --delay-ms 5 # or the export might look async
export_dir /srv/data rw,sync,no_root_squash
start_server
stale=vers=4.2,sync,rsize=32768,wsize=32768,nosharecache
cat >/etc/systemd/system/mnt-unit.mount <<END
[Mount]
What=$server_ip:/srv/data
Where=/mnt/unit
Type=nfs
Options=$stale
END
# one that ends with the mount, one that needs it, one that runs in it
cat >/etc/systemd/system/bound.service <<END
[Unit]
BindsTo=mnt-unit.mount
After=mnt-unit.mount
[Service]
ExecStart=/bin/sleep infinity
END
cat >/etc/systemd/system/needing.service <<END
[Unit]
RequiresMountsFor=/mnt/line
[Service]
ExecStart=/bin/sleep infinity
END
mkdir -p /mnt/line
add_fstab "$server_ip:/srv/data /mnt/line nfs $stale 0 0"
check "services that need the mounts start" systemctl start bound needing
assert_localio_off
units="mnt-unit.mount mnt-line.mount bound.service needing.service"

# what would differ if any of them had been stopped and started
states() {
  # shellcheck disable=SC2086 # a list
  systemctl show -p Id -p ActiveState -p SubState -p MainPID -p ActiveEnterTimestampMonotonic -p InactiveEnterTimestampMonotonic $units
}
# what process 1 said of them
said_of_units() {
  local unit matches=()
  for unit in $units; do matches+=("UNIT=$unit"); done
  journal_json --since "$1" _PID=1 "${matches[@]}" | jq -r .MESSAGE
}
unit_options() { systemctl show -p Options --value "$1"; }
unit_has_sizes() { [[ ",$(unit_options "$1")," = *",rsize=$2,"* ]]; }

before=$(states)
note "$(grep -c . <<<"$before") properties of $units"
automatic_mode
cursor=$(journal_cursor)
check "the service starts" systemctl start nfstuned
for target in /mnt/unit /mnt/line; do
  check "$target: applied" wait_for_journal --timeout 300 --since "$cursor" NFSTUNED_EVENT=applied "NFSTUNED_MOUNT=$target"
  check "$target: verified" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=verified "NFSTUNED_MOUNT=$target"
  check_not "$target: sync is gone" mount_option "$target" sync
  equal "$target: one mount" 1 "$(mounts_at "$target")"
done
for unit in mnt-unit.mount mnt-line.mount; do
  check "$unit: its options follow" wait_for unit_has_sizes "$unit" 1048576
  check_not "$unit: without sync" grep -q -w sync <<<"$(unit_options "$unit")"
done
equal "no unit was stopped or started" "$before" "$(states)"
equal "systemd has nothing to say" "" "$(said_of_units "$cursor")"
check "the service ends" systemctl stop nfstuned

# ---- again and again
cursor=$(journal_cursor)
replaced=0
for ((i = 1; i <= repeats; i++)); do
  for target in /mnt/unit /mnt/line; do
    now=$(asked "$target")
    size=$((65536 * (1 + i % 2)))
    request replace "$target" rsize "$now" "$(without "$now" rsize),rsize=$size" | ask_helper >"$LAB_TMP/answer" || true
    [ "$(jq -r .end "$LAB_TMP/answer")" = "done" ] || fail "$target: replaced, time $i" "$(cat "$LAB_TMP/answer")"
    [ "$(mount_option "$target" rsize) $(mounts_at "$target")" != "$size 1" ] || replaced=$((replaced + 1))
    rm -f /var/lib/nfstuned/intent-*
  done
done
equal "replaced $repeats times each" "$((2 * repeats))" "$replaced"
check "the options follow" wait_for unit_has_sizes mnt-unit.mount "$size"
equal "still no unit was stopped or started" "$before" "$(states)"
equal "still nothing to say" "" "$(said_of_units "$cursor")"

# ---- and systemd can still unmount them
check "the unit stops" systemctl stop mnt-unit.mount
equal "it is unmounted" 0 "$(mounts_at /mnt/unit)"
equal "what is bound to it stops with it" inactive "$(systemctl is-active bound || true)"
check "it starts" systemctl start mnt-unit.mount
equal "with the unit's own options" 32768 "$(mount_option /mnt/unit rsize)"
finish
