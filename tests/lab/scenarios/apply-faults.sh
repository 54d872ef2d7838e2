#!/bin/bash
# lab: smoke kernels=6.12 timeout=400 memory=1024
#
# Changes that cannot succeed: the export is gone, it wants Kerberos, the state directory is full, large READ replies come back
# damaged: refused in words, the mount untouched. And a server that dies between move and unmount: the service answers all the
# while, and the new mount is in its place. apply-faults-full.sh lets large replies end the connection, and lets the server
# die before, during and after, too.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
# shellcheck source=tests/lab/scenarios/common/faults.sh
. /lab/scenarios/common/faults.sh
faults=${faults:-sec gone full-disk garble dead-moved}

export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
stale=rsize=32768,wsize=32768,nosuid
mount_as 4.2 /mnt/data /srv/data "$stale"
case $faults in
  *garble* | *cut*)
    use_server between
    export_dir /srv/between rw,sync,no_root_squash,no_subtree_check,insecure
    start_server
    start_hostile garble 2050
    mount_as 4.2 /mnt/between /srv/between "$stale,port=2050"
    head -c 262144 /dev/urandom >/mnt/between/live
    use_server server
    ;;
esac
assert_localio_off
# its own small file system, which can be filled
mount -t tmpfs -o size=128k,mode=700 none /var/lib/nfstuned 2>/dev/null || {
  mkdir -p /var/lib/nfstuned
  mount -t tmpfs -o size=128k,mode=700 none /var/lib/nfstuned
}
printf '[daemon]\nspread = 0\npassive_interval = 2s\n' | nfstuned_config
cursor=$(journal_cursor)
check "the service starts" systemctl start nfstuned
advised() { wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=recommendation NFSTUNED_RULE=stale-io-size "NFSTUNED_MOUNT=$1"; }
check "something is to be done" advised /mnt/data
daemon=$(main_pid)

# apply TARGET: sets $end and $words
apply() {
  timeout 300 nfstunectl apply "$1" --json >"$LAB_TMP/outcome" 2>&1 || true
  end=$(jq -r .end "$LAB_TMP/outcome" 2>/dev/null || head -n 3 "$LAB_TMP/outcome")
  words=$(jq -r .words "$LAB_TMP/outcome" 2>/dev/null || true)
  note "$end: $words"
}


# begin_apply TARGET: the same in the background; outcome_of_apply waits for it
begin_apply() {
  timeout 400 nfstunectl apply "$1" --json >"$LAB_TMP/outcome" 2>&1 &
  applying=$!
}
outcome_of_apply() {
  wait "$applying" || true
  end=$(jq -r .end "$LAB_TMP/outcome" 2>/dev/null || head -n 3 "$LAB_TMP/outcome")
  words=$(jq -r .words "$LAB_TMP/outcome" 2>/dev/null || true)
  note "$end: $words"
}

# untouched NAME TARGET ID OPTIONS: it is the very same mount, and nothing is left of the attempt
untouched() {
  equal "$1: the mount is the same" "$3 1 $4" "$(mount_id "$2") $(mounts_at "$2") $(mount_options "$2")"
  equal "$1: no record is left" "" "$(records)"
}

# refused NAME TARGET PATTERN: an apply there is refused with these words, also in the journal
refused() {
  local id options
  id=$(mount_id "$2")
  options=$(mount_options "$2")
  apply "$2"
  equal "$1: refused" refused "$end"
  check "$1: the reason in words" grep -q -i -E "$3" <<<"$words"
  untouched "$1" "$2" "$id" "$options"
}

# service_lives NAME: it answers at once
service_lives() {
  check "$1: the service answers" timeout 30 nfstunectl status
  equal "$1: it is the same process" "$daemon active" "$(main_pid) $(systemctl is-active nfstuned)"
}

# ---- refused while it is staged

if [[ $faults = *sec* ]]; then
  export_dir /srv/data rw,sync,no_root_squash,no_subtree_check,sec=krb5
  refused "Kerberos only" /mnt/data "denied|not permitted|sec|refuse"
  export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
fi
if [[ $faults = *gone* ]]; then
  unexport /srv/data
  refused "the export is gone" /mnt/data "does not export|no such|stale|denied"
  export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
  check "the export is back" wait_for ls /mnt/data
fi
if [[ $faults = *full-disk* ]]; then
  dd if=/dev/zero of=/var/lib/nfstuned/fill bs=4k 2>/dev/null || true
  refused "full state directory" /mnt/data "record.*no space left"
  rm /var/lib/nfstuned/fill
fi

# ---- replies that are damaged on the way

if [[ $faults = *garble* ]]; then
  check "the mount behind it is judged" advised /mnt/between
  refused "damaged replies" /mnt/between "not those that were written"
  echo 3 >/proc/sys/vm/drop_caches
  check "small replies through the mount are right" cmp /srv/between/live /mnt/between/live
fi
if [[ $faults = *cut* ]]; then
  use_server between
  start_hostile cut 2050
  use_server server
  check "the mount behind it is judged" advised /mnt/between
  refused "replies that cut the connection" /mnt/between "twice wsize written and read back"
  echo 3 >/proc/sys/vm/drop_caches
  # what is left of the staged mount must not ask for ever, on the connection that the mount shares with it
  check "the mount goes on" timeout 30 cmp /srv/between/live /mnt/between/live
  check "nfstuned-mount has ended" wait_for no_helper_of_service
  check "it is probed again" timeout 60 nfstunectl probe /mnt/between
  equal "which removes the test file" "" "$(find /srv/between -name '.nfs*')"
fi
check "no test file is left" wait_for --timeout 60 no_test_files /srv/data

# ---- a server that dies

# dead NAME PATTERN: the server is dead and the helper goes on; see that the service answers
dead_meanwhile() {
  local i
  for i in 1 2 3; do
    service_lives "$1, look $i"
    sleep 3
  done
}

# stale_again: old options as at the beginning, and advice about them
stale_again() {
  wait_for timeout 10 ls /mnt/data
  umount /mnt/data
  cursor=$(journal_cursor)
  mount_as 4.2 /mnt/data /srv/data "$stale"
  check "something is to be done again" wait_for --timeout 60 status_is /mnt/data .state advice
}

if [[ $faults = *dead-before* ]]; then
  id=$(mount_id /mnt/data)
  options=$(mount_options /mnt/data)
  kill_server
  begin_apply /mnt/data
  dead_meanwhile "dead before"
  outcome_of_apply
  check "dead before: nothing is done" grep -q -x -E 'refused|failed' <<<"$end"
  untouched "dead before" /mnt/data "$id" "$options"
  revive_server
  check "dead before: the mount goes on" wait_for --timeout 60 timeout 10 ls /mnt/data
  service_lives "dead before, alive again"
fi

# dead_at NAME CALL WHERE N COMMAND…: an apply is held there, which COMMAND notices; then the server dies and the helper goes on
dead_at() {
  local name=$1 call=$2 where=$3 n=$4
  shift 4
  check "$name: something is to be done" wait_for --timeout 60 status_is /mnt/data .state advice
  cursor=$(journal_cursor)
  hold_helper_at "$call" "$where" "$n"
  begin_apply /mnt/data
  check "$name: held" wait_for --timeout 60 "$@"
  kill_server
  let_helpers_run
  release_helpers
  dead_meanwhile "$name"
}

if [[ $faults = *dead-staging* ]]; then
  # the staged mount is made: the file that is written through it does not get there
  id=$(mount_id /mnt/data)
  options=$(mount_options /mnt/data)
  dead_at "dead while it is staged" fsmount exit 1 record_is staging
  outcome_of_apply
  check "dead while it is staged: nothing is done" grep -q -x -E 'refused|failed' <<<"$end"
  untouched "dead while it is staged" /mnt/data "$id" "$options"
  check "dead while it is staged: reported" wait_for_journal --since "$cursor" _SYSTEMD_UNIT=nfstuned.service NFSTUNED_MOUNT=/mnt/data
  revive_server
  check "dead while it is staged: the mount goes on" wait_for --timeout 60 timeout 10 ls /mnt/data
  service_lives "dead while it is staged, alive again"
fi

if [[ $faults = *dead-moved* ]]; then
  id=$(mount_id /mnt/data)
  dead_at "dead between" move_mount exit 3 n_mounts_at 2 /mnt/data
  check "dead between: the new mount is in its place" wait_for --timeout 60 n_mounts_at 1 /mnt/data
  check_not "dead between: it is another one" [ "$(mount_id /mnt/data)" = "$id" ]
  equal "dead between: with the new sizes" 1048576 "$(mount_option /mnt/data rsize)"
  check "dead between: told" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=applied NFSTUNED_MOUNT=/mnt/data
  revive_server
  check "dead between: the mount works" wait_for --timeout 60 timeout 10 ls /mnt/data
  outcome_of_apply
  check "dead between: an end" grep -q -x -E 'verified|rolled-back' <<<"$end"
  equal "dead between: one mount, no record" "1 " "$(mounts_at /mnt/data) $(records)"
  service_lives "dead between, alive again"
fi

if [[ $faults = *dead-after* ]]; then
  stale_again
  cursor=$(journal_cursor)
  begin_apply /mnt/data
  check "dead after: applied" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=applied NFSTUNED_MOUNT=/mnt/data
  kill_server
  dead_meanwhile "dead after"
  equal "dead after: mounted once" 1 "$(mounts_at /mnt/data)"
  revive_server
  outcome_of_apply
  check "dead after: an end" grep -q -x -E 'verified|rolled-back' <<<"$end"
  check "dead after: the mount works" timeout 60 ls /mnt/data
  equal "dead after: one mount, no record" "1 " "$(mounts_at /mnt/data) $(records)"
  service_lives "dead after, alive again"
fi

equal "the service was never started again" "0 $daemon" "$(systemctl show -P NRestarts nfstuned) $(main_pid)"
journal_story "$cursor"
finish
