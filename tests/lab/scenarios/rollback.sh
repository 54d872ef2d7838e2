#!/bin/bash
# lab: full kernels=6.12,6.1 timeout=1200 memory=1024
#
# Going back. On a network that delays large requests (a box on the way that handles them slowly) larger transfer sizes are slower: the
# change is seen to be worse and taken back, and not tried again; after two of them automatic mode stops until `resume`. A change that was good
# is taken back by hand, and stays so. Whoever remounts or mounts anew has decided: automatic mode leaves that mount alone, and does
# not take its own changes for somebody's, nor after a restart.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh

stale=rsize=32768,wsize=32768
number=10
for name in first second third hand remount; do
  number=$((number + 1))
  export_dir "/srv/$name" "rw,sync,no_root_squash,fsid=$number" # of its own: no shared superblock
done
start_server
for name in first second third hand; do mount_as 4.2 "/mnt/$name" "/srv/$name" "$stale,noatime"; done
mount_as 4.2 /mnt/remount /srv/remount noatime
assert_localio_off

# configure NAME…: automatic mode for these mounts. A fast disk does not show that the exports are sync.
configure() {
  {
    printf '[daemon]\nspread = 0\npassive_interval = 2s\n'
    for name in first second third hand remount; do
      printf '[mount %s]\npath = /mnt/%s\nexport = sync\n' "$name" "$name"
      case " $* " in *" $name "*) echo 'mode = auto-remount' ;; esac
    done
  } | nfstuned_config
}
stopped() { nfstunectl status --json | jq .stopped; }
stopped_is() { [ "$(stopped)" = "$1" ]; }
# quiet_for TARGET SECONDS: it stays the same mount with the same options, and no event comes
unchanged_for() {
  local before
  before=$(mount_line "$1")
  sleep "$2"
  [ "$(mount_line "$1")" = "$before" ]
}
sizes() { echo "$(mount_option "$1" rsize) $(mount_option "$1" wsize)"; }

configure
cursor=$(journal_cursor)
systemctl start nfstuned
for name in first second third hand; do check "$name: advice" wait_advice "/mnt/$name" stale-io-size; done

# ---- worse, and taken back
declare -A before=()
for name in first second third; do before[$name]=$(mount_options "/mnt/$name"); done
delay_large 1000
configure first
systemctl reload nfstuned
check "first: applied" wait_event applied /mnt/first "$cursor"
check "first: taken back" wait_event rolled-back /mnt/first "$cursor" 240
equal "first: the options are as before" "" "$(other_options "${before[first]}" "$(mount_options /mnt/first)")"
equal "first: one mount there" 1 "$(mounts_at /mnt/first)"
check "first: the reason is that it is slower" grep -q 'slower' <<<"$(journal_events rolled-back --since "$cursor" | jq -r .NFSTUNED_REASON)"
check "first: by figures" less 1100 "$(journal_events rolled-back --since "$cursor" | jq -r .NFSTUNED_RATIO_LOW_PERMILLE)"
note "$(journal_events rolled-back --since "$cursor" | jq -r .MESSAGE)"
equal "first: not verified" 0 "$(count_events verified --since "$cursor")"
check "first: not tried again, status says why" wait_for status_is /mnt/first .refusal.name failed
note "$(status_of /mnt/first .refusal.words)"
equal "one failure does not stop it" false "$(stopped)"
check "first: stays" unchanged_for /mnt/first 20

ctl apply /mnt/second
equal "second, by hand: taken back" 1 "$status"
check "second, by hand: told why" said 'slower'
equal "second: the options are as before" "" "$(other_options "${before[second]}" "$(mount_options /mnt/second)")"

# ---- the breaker
check "two failures stop automatic mode" wait_for stopped_is true
check "status says what to do" sh -c 'nfstunectl status | grep -q "nfstunectl resume"'
check "so does the journal" sh -c "journalctl -t nfstuned -o cat | grep -q 'Two changes failed'"
fast_network
configure first second third
systemctl reload nfstuned
check "third: waits for resume" wait_for --timeout 60 status_is /mnt/third .refusal.name breaker
check "third: stays" unchanged_for /mnt/third 15
check "also after a restart" systemctl restart nfstuned
check "third: still waits" wait_for --timeout 120 status_is /mnt/third .refusal.name breaker
equal "still stopped" true "$(stopped)"
cursor=$(journal_cursor)
ctl resume
equal "resume" 0 "$status"
check "third: applied" wait_event applied /mnt/third "$cursor"
check "third: verified" wait_event verified /mnt/third "$cursor"
equal "third: the server's sizes" "1048576 1048576" "$(sizes /mnt/third)"
equal "running again" false "$(stopped)"

# ---- taken back by hand
ctl rollback /mnt/third
equal "third: rolled back by hand" 0 "$status"
equal "third: the old options" "" "$(other_options "${before[third]}" "$(mount_options /mnt/third)")"
check "third: left alone" wait_for --timeout 60 status_is /mnt/third .refusal.name failed
check "third: the reason is the hand" grep -q 'by hand' <<<"$(status_of /mnt/third .refusal.words)"
check "third: stays" unchanged_for /mnt/third 15
equal "that is no failure" false "$(stopped)"
ctl rollback /mnt/third
check "third: only once" said 'taken back already'

# ---- own changes are known as such
ctl apply /mnt/hand
equal "hand: applied" 0 "$status"
systemctl restart nfstuned
check "hand: judged again" wait_for --timeout 120 status_is /mnt/hand .state ok
check "third: judged again" wait_for --timeout 120 status_is /mnt/third .refusal.name failed
equal "nobody else is blamed" "" "$(nfstunectl status --json | jq -r '.mounts[].history.outside_usec // empty')"
cursor=$(journal_cursor)
ctl rollback /mnt/hand
equal "hand: the way back is known after the restart" 0 "$status"
equal "hand: the old sizes" "32768 32768" "$(sizes /mnt/hand)"
ctl apply /mnt/hand
equal "hand: and again" "0 1048576 1048576" "$status $(sizes /mnt/hand)"

# ---- the administrator wins
configure hand remount
systemctl reload nfstuned
check "remount: nothing to do" wait_for --timeout 120 status_is /mnt/remount .state ok
mount -o remount,sync /mnt/remount
check "remount: sync is noticed" wait_advice /mnt/remount sync-client
check "remount: left alone" wait_for --timeout 60 status_is /mnt/remount .refusal.name outside
check "remount: the journal says so" sh -c "journalctl -t nfstuned -o cat | grep -q '/mnt/remount: .*not by nfstuned.*7 days'"
check "remount: stays" unchanged_for /mnt/remount 15
check "remount: is sync" mount_option /mnt/remount sync
umount /mnt/hand
check "hand: unmounted is noticed" wait_for --timeout 30 sh -c '! nfstunectl status --json | grep -q /mnt/hand'
mount_as 4.2 /mnt/hand /srv/hand rsize=65536,wsize=65536,noatime
check "hand: new options are noticed" wait_for --timeout 120 status_is /mnt/hand .rsize 65536
check "hand: left alone" wait_for --timeout 120 status_is /mnt/hand .refusal.name outside
check "hand: stays" unchanged_for /mnt/hand 15
ctl rollback /mnt/hand
check "hand: what is not ours is not taken back" said 'Somebody else changed'
# and what was changed while nobody watched
systemctl stop nfstuned
mount -o remount,sync /mnt/third
systemctl start nfstuned
for name in remount hand; do check "$name: remembered after a restart" wait_for --timeout 120 status_is "/mnt/$name" .refusal.name outside; done
equal "no change was made" "0 0" "$(count_events refused --since "$cursor") $(journal_events applied --since "$cursor" | jq -r 'select(.NFSTUNED_MOUNT != "/mnt/hand")' | wc -l)"

# ---- by hand nothing of it holds
ctl apply /mnt/remount
equal "remount: apply is not bound by it" 0 "$status"
check_not "remount: no longer sync" mount_option /mnt/remount sync
equal "no record is left" "" "$(find /var/lib/nfstuned -name 'intent-*')"
check "no test file is left" wait_for --timeout 60 no_test_files /srv
journal_story "$cursor"
finish
