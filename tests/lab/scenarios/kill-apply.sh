#!/bin/bash
#
# kill -9 of nfstuned-mount in its unit, and of the daemon while nfstuned-mount is at work, at each step of a change: the daemon, or
# the one that is started in its place, has it finished or undone at once and tells so; the path is mounted once, with old or new
# options, and no record and no staged mount are left. kill-apply-full.sh does it at every step.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
# shellcheck source=tests/lab/scenarios/common/faults.sh
. /lab/scenarios/common/faults.sh
helper_steps=${helper_steps-moved}
daemon_steps=${daemon_steps-recorded}

export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
stale=rsize=32768,wsize=32768,nosuid
mount_as 4.2 /mnt/data /srv/data "$stale"
assert_localio_off
echo hello >/mnt/data/file
printf '[daemon]\nspread = 0\npassive_interval = 2s\n' | nfstuned_config
cursor=$(journal_cursor)
check "the service starts" systemctl start nfstuned

# advised_again: the old options, and advice about them
advised_again() {
  if ! mount_options /mnt/data | grep -q rsize=32768; then
    umount /mnt/data
    cursor=$(journal_cursor)
    mount_as 4.2 /mnt/data /srv/data "$stale"
  fi
  wait_for --timeout 60 status_is /mnt/data .state advice
}

# hold_at STEP: nfstuned-mount will be held there; is_held tells whether it is
hold_at() {
  case $1 in
    staging) hold_helper_at fsmount exit 1; is_held() { record_is staging; } ;;
    recorded) hold_helper_at renameat exit 2; is_held() { record_is beneath; } ;;
    moving) hold_helper_at move_mount enter 3; is_held() { record_is beneath; } ;;
    moved) hold_helper_at move_mount exit 3; is_held() { n_mounts_at 2 /mnt/data; } ;;
    "done") hold_helper_at renameat exit 3; is_held() { record_is "done"; } ;;
  esac
}

no_record() { [ -z "$(records)" ]; }

# as_it_should NAME: what has to hold after each kill
as_it_should() {
  check "$1: no record is left" wait_for --timeout 120 no_record
  equal "$1: mounted once" 1 "$(mounts_at /mnt/data)"
  case $(mount_option /mnt/data rsize) in
    32768 | 1048576) pass "$1: old or new options ($(mount_option /mnt/data rsize))" ;;
    *) fail "$1: old or new options" "$(mount_options /mnt/data)" ;;
  esac
  equal "$1: the file is there" hello "$(cat /mnt/data/file)"
  check "$1: flags are kept" grep -q nosuid <<<"$(mount_options /mnt/data)"
  check "$1: no helper is left" wait_for no_helper_of_service
  equal "$1: no staged mount is left" "" "$(grep -h -s -E ' /sys/fs [^-]* - nfs' /proc/[0-9]*/mountinfo || true)"
  check "$1: the service answers" timeout 30 nfstunectl status
}

# begin STEP: a change, held there
begin() {
  check "$1: something is to be done" advised_again
  cursor=$(journal_cursor)
  hold_at "$1"
  timeout 300 nfstunectl apply /mnt/data --json >"$LAB_TMP/outcome" 2>&1 &
  applying=$!
  check "$1: held" wait_for --timeout 60 is_held
  sleep 1
  let_helpers_run
  helper=$(helpers_of_service)
}

told() { journal_json --since "$cursor" -t nfstuned | jq -r .MESSAGE | grep -q "$1"; }

for step in $helper_steps; do
  begin "$step"
  daemon=$(main_pid)
  # shellcheck disable=SC2086 # it may have a child
  kill -9 $helper
  release_helpers # the tracer would hold it at its very end
  wait "$applying" || true
  note "helper killed at $step: $(jq -r '"\(.end): \(.words)"' "$LAB_TMP/outcome" || cat "$LAB_TMP/outcome")"
  as_it_should "helper killed at $step"
  equal "helper killed at $step: the same daemon" "$daemon" "$(main_pid)"
  check "helper killed at $step: told" told "nfstuned-mount failed"
  case $(jq -r .end "$LAB_TMP/outcome"),$(mount_option /mnt/data rsize) in
    verified,1048576 | failed,32768 | rolled-back,32768) pass "helper killed at $step: the answer is right" ;;
    *) fail "helper killed at $step: the answer is right" "$(cat "$LAB_TMP/outcome"), but $(mount_options /mnt/data)" ;;
  esac
  journal_story "$cursor"
done

for step in $daemon_steps; do
  begin "$step"
  daemon=$(main_pid)
  kill -9 "$daemon"
  new_main() { [ "$(main_pid)" != "$daemon" ] && [ "$(main_pid)" != 0 ] && systemctl is-active nfstuned; }
  check "daemon killed at $step: it is started again" wait_for --timeout 60 new_main
  # the helper of the one that was killed is still at work
  sleep 2
  release_helpers
  as_it_should "daemon killed at $step"
  check "daemon killed at $step: told" wait_for --timeout 60 told 'under way when nfstuned ended\|: changed to\|taken back'
  # nothing goes on behind its back
  sleep 3
  no_record || fail "daemon killed at $step: nothing goes on" "$(cat /var/lib/nfstuned/intent-*)"
  equal "daemon killed at $step: still mounted once" 1 "$(mounts_at /mnt/data)"
  equal "daemon killed at $step: nobody else is thought to have done it" 0 \
    "$(journal_json --since "$cursor" -t nfstuned | jq -r .MESSAGE | grep -c 'not by nfstuned')"
  journal_story "$cursor"
done
finish
