#!/bin/bash
# lab: smoke kernels=6.12 timeout=400 memory=1024
#
# kill -9 of the probe helper and of the daemon at several instants of a probe: after the next round no file of ours is on
# the export, and another host's file is untouched. kill-probe-full.sh has more instants.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
# shellcheck source=tests/lab/scenarios/common/faults.sh
. /lab/scenarios/common/faults.sh
require_project

make_disk data 100 --delay-ms 60
export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
# sync: every write of the probe takes the disk's time, so that there is a middle to kill it in
mount_as 3 /mnt/v3 /srv/data sync
mount_as 4.2 /mnt/v42 /srv/data sync
in_server sh -c "echo theirs >/srv/data/$foreign_name"
assert_localio_off
short_intervals

# seconds after the first file of the probe has appeared on the server
helper_instants=${KILL_HELPER_INSTANTS:-0.5}
daemon_instants=${KILL_DAEMON_INSTANTS:-1.5}

# after_kill WHAT: note what is left on the export right after a kill
after_kill() {
  left=$(own_files /srv/data)
  note "$1: left on the export: $(wc -w <<<"$left") file(s)"
}

# is every file of $left gone?
left_is_gone() {
  local name
  for name in $left; do
    if in_server test -e "/srv/data/$name"; then return 1; fi
  done
}

# check_round WHAT: the round after a kill; $cursor is the journal before it
check_round() {
  local what=$1 target
  for target in /mnt/v3 /mnt/v42; do
    check "$what: $target is probed again" wait_for --timeout 60 has_written "$target" "$cursor"
  done
  check "$what: no file of ours is left" left_is_gone
  equal "$what: the other host's file is untouched" theirs "$(in_server cat "/srv/data/$foreign_name")"
}

systemctl start nfstuned
for instant in $helper_instants; do
  check "a probe begins" wait_for --timeout 60 has_own_files /srv/data
  sleep "$instant"
  victims=$(helpers)
  check "helper at $instant s: one runs" [ -n "$victims" ]
  # shellcheck disable=SC2086 # several
  kill -9 $victims || true
  after_kill "helper at $instant s"
  cursor=$(journal_cursor)
  check_round "helper at $instant s"
  check "helper at $instant s: the daemon still runs" systemctl is-active nfstuned
done

for instant in $daemon_instants; do
  check "a probe begins" wait_for --timeout 60 has_own_files /srv/data
  sleep "$instant"
  pid=$(main_pid)
  cursor=$(journal_cursor)
  kill -9 "$pid"
  check "daemon at $instant s: the helpers go with it" wait_for --timeout 10 no_helper
  after_kill "daemon at $instant s"
  new_main() { [ "$(main_pid)" != "$pid" ] && [ "$(main_pid)" != 0 ] && systemctl is-active nfstuned; }
  check "daemon at $instant s: systemd starts it again" wait_for --timeout 60 new_main
  check_round "daemon at $instant s"
done
check "a probe begins" wait_for --timeout 60 has_own_files /srv/data
systemctl stop nfstuned
check "a stop ends the helpers" wait_for --timeout 20 no_helper
check "and leaves no file" no_own_files /srv/data
finish
