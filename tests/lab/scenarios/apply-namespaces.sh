#!/bin/bash
# lab: smoke kernels=6.12 timeout=900 memory=1024
# lab: full kernels=6.1 timeout=900 memory=1024
#
# Mounts that other mount namespaces have too. A sandboxed service has its working directory there: the new mount waits
# beneath (before Linux 6.5: the change waits), through a restart, and takes over at the next try after the service ended; or
# the administrator unmounts by hand, and nothing is left. A container with a private copy: nothing is changed and it is named;
# changed after it has ended. --dry-run names all of them. What a namespace may do with the mount is its own matter: a sandboxed
# service sees the new one read-only as the old one, a container keeps its flags, and where a mount has a propagation of
# its own its path is never lost.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh

export_dir /srv/data rw,sync,no_root_squash
start_server
assert_localio_off
stale=rsize=32768,wsize=32768,nosharecache # no sync, which would be changed in place
beneath=
[ "$LAB_KERNEL" = 6.1 ] || beneath=yes

# sandbox NAME TARGET: a service in a mount namespace of its own, working there
sandbox() {
  systemctl reset-failed "$1" 2>/dev/null || true
  systemd-run --quiet --collect --unit "$1" -p PrivateTmp=yes -p ProtectSystem=strict -p WorkingDirectory="$2" sleep infinity
  wait_for unit_runs "$1" sleep
}
pid_of() { systemctl show -p MainPID --value "$1"; }
unit_runs() { runs "$(pid_of "$1")" "$2"; }
runs() { [ "$(cat "/proc/$1/comm")" = "$2" ]; }
accepted() { systemctl show -p NAccepted --value nfstuned-mount.socket; }
dry_run() { nfstunectl apply "$1" --dry-run --json >"$LAB_TMP/outcome" 2>&1 || true; }
# container [MOUNT-OPTION…]: a process in a mount namespace of its own, where mount(8) is called with these; sets $container
container() {
  unshare -m --propagation slave sleep infinity &
  container=$!
  cleanup_fn kill "$container"
  wait_for runs "$container" sleep
  if [ $# != 0 ]; then nsenter -m -t "$container" mount "$@"; fi
}
# seen_by PID TARGET: print how many mounts are there in its namespace, and flags and device of the last
seen_by() { awk -v at="$2" '$5 == at {n++; flags = $6; device = $3} END {print n + 0, flags, device}' "/proc/$1/mountinfo"; }
users() { jq -r "[.users[] | select($1)] | length" "$LAB_TMP/outcome"; }

# ---- a service that sees what is mounted here
mount_as 4.2 /mnt/data /srv/data "$stale"
sandbox sandboxed /mnt/data
check_not "it has a namespace of its own" test "$(readlink "/proc/$(pid_of sandboxed)/ns/mnt")" = "$(readlink /proc/self/ns/mnt)"
sandbox reader /
container -o remount,bind,noexec,nodev,noatime /mnt/data
guest=$container
equal "others have it with flags of their own" "1 ro,relatime 1 rw,nodev,noexec,noatime" \
  "$(seen_by "$(pid_of reader)" /mnt/data | cut -d' ' -f1,2) $(seen_by "$guest" /mnt/data | cut -d' ' -f1,2)"
id=$(mount_id /mnt/data)
automatic_mode
cursor=$(journal_cursor)
check "the service starts" systemctl start nfstuned

# who would notice, asked before anything happens
check "advice is there" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=recommendation NFSTUNED_MOUNT=/mnt/data

if [ -n "$beneath" ]; then
  check "armed" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=armed NFSTUNED_MOUNT=/mnt/data
  check "status says armed" wait_for status_is /mnt/data .state armed
  equal "two mounts there" 2 "$(mounts_at /mnt/data)"
else
  check "status says waiting" wait_for --timeout 120 status_is /mnt/data .state waiting
  equal "one mount there" 1 "$(mounts_at /mnt/data)"
fi
note "$(nfstunectl status)"
equal "the old one serves" "$id" "$(mount_id /mnt/data)"
note "in the service: $(grep ' /mnt/data ' "/proc/$(pid_of sandboxed)/mountinfo" | cut -d' ' -f1,5,6 | xargs)"
dry_run /mnt/data
note "$(jq -r .words "$LAB_TMP/outcome")"
equal "a dry run names who keeps it busy" 1 "$(users ".pid == $(pid_of sandboxed) and (.is_mount | not)")"

sandbox late /
check "a restart" systemctl restart nfstuned
if [ -n "$beneath" ]; then
  check "still armed" wait_for --timeout 60 status_is /mnt/data .state armed
  equal "still two mounts" 2 "$(mounts_at /mnt/data)"
  equal "it was not armed twice, nor given up" "1 0" "$(events_of armed /mnt/data "$cursor") $(events_of rolled-back /mnt/data "$cursor")"
  equal "the old one serves on" "$id" "$(mount_id /mnt/data)"
else
  check "still waiting" wait_for --timeout 120 status_is /mnt/data .state waiting
fi
equal "nothing is changed" 0 "$(events_of applied /mnt/data "$cursor")"
tries=$(accepted)
systemctl stop sandboxed
# what was staged for nothing is tried again after ten minutes, or a reload
[ -n "$beneath" ] || systemctl reload nfstuned
check "applied when it has left" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=applied NFSTUNED_MOUNT=/mnt/data
tries=$(($(accepted) - tries))
# one that was on its way, the one that did it, and verification
if [ -n "$beneath" ]; then check "at the next try ($tries requests)" test "$tries" -le 3; fi
check "verified" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=verified NFSTUNED_MOUNT=/mnt/data
equal "one mount, the new one" "1 1048576" "$(mounts_at /mnt/data) $(mount_option /mnt/data rsize)"
new=$(mount_device /mnt/data)
equal "a service that saw the old one read-only sees the new one so" "1 ro,relatime $new" "$(seen_by "$(pid_of reader)" /mnt/data)"
equal "so does one that came later" "1 ro,relatime $new" "$(seen_by "$(pid_of late)" /mnt/data)"
equal "a container has its flags there" "1 rw,nodev,noexec,noatime $new" "$(seen_by "$guest" /mnt/data)"
equal "the host its own" rw,relatime "$(mount_line /mnt/data | cut -d' ' -f6)"
check_not "the service cannot write" nsenter -m -t "$(pid_of reader)" touch /mnt/data/by-reader
check "the container can" nsenter -m -t "$guest" touch /mnt/data/by-guest
check "so can the host" touch /mnt/data/by-host
systemctl stop reader late
kill "$guest"

# ---- by hand: who would notice
printf '[daemon]\nmode = recommend\nspread = 0\npassive_interval = 2s\n' | nfstuned_config
systemctl reload nfstuned
mount_as 4.2 /mnt/copied /srv/data "$stale"
unshare -m --propagation private sleep infinity &
container=$!
cleanup_fn kill "$container"
sandbox sandboxed /mnt/copied
(cd /mnt/copied && exec sleep infinity) &
worker=$!
cleanup_fn kill "$worker"
wait_for status_is /mnt/copied .plan true
dry_run /mnt/copied
equal "a dry run" "planned true true" "$(jq -r '"\(.end) \(.busy) \(.elsewhere)"' "$LAB_TMP/outcome")"
equal "names the process" 1 "$(users ".pid == $worker and (.is_mount | not)")"
equal "names the service that works there" 1 "$(users ".pid == $(pid_of sandboxed) and (.is_mount | not)")"
equal "names the private copy" 1 "$(users ".pid == $container and .is_mount and (.reached | not)")"
check "the words name it" jq -e --arg pid "process $container" '.words | contains($pid)' "$LAB_TMP/outcome"
note "$(jq -r .words "$LAB_TMP/outcome")"
equal "nothing was changed" "1 32768" "$(mounts_at /mnt/copied) $(mount_option /mnt/copied rsize)"
systemctl stop sandboxed
kill "$worker"

# ---- a private copy: left alone in automatic mode
line=$(mount_line /mnt/copied)
automatic_mode
check "reload" systemctl reload nfstuned
check "the private copy forbids it" wait_for --timeout 120 status_is /mnt/copied .refusal.name elsewhere
check "refused, in the journal" wait_for_journal --since "$cursor" NFSTUNED_EVENT=refused NFSTUNED_MOUNT=/mnt/copied
event_of refused /mnt/copied "$cursor" | jq -r .NFSTUNED_REASON >"$LAB_TMP/words"
note "$(cat "$LAB_TMP/words")"
check "it names who has it" grep -q "process $container" "$LAB_TMP/words"
equal "untouched" "$line" "$(mount_line /mnt/copied)"
kill "$container"
wait "$container" 2>/dev/null || true
check "reload: look again" systemctl reload nfstuned
check "changed when it has ended" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=applied NFSTUNED_MOUNT=/mnt/copied
check "and verified" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=verified NFSTUNED_MOUNT=/mnt/copied

# ---- the administrator unmounts what is armed
if [ -n "$beneath" ]; then
  mount_as 4.2 /mnt/away /srv/data "$stale"
  sandbox sandboxed /mnt/away
  check "armed again" wait_for_journal --timeout 180 --since "$cursor" NFSTUNED_EVENT=armed NFSTUNED_MOUNT=/mnt/away
  systemctl stop nfstuned # or it would take over between the two
  check "unmounted by hand" umount -l /mnt/away
  check "the one beneath too" umount -l /mnt/away
  equal "nothing there" 0 "$(mounts_at /mnt/away)"
  systemctl stop sandboxed
  check "the service starts again" systemctl start nfstuned
  no_record() { [ -z "$(find /var/lib/nfstuned -name 'intent-*')" ]; }
  check "the record is gone" wait_for --timeout 60 no_record
  equal "nothing was mounted there" "0 0" "$(mounts_at /mnt/away) $(events_of applied /mnt/away "$cursor")"
fi

journal_story "$cursor"
note "$(nfstunectl status)"

# ---- propagations of their own: never without a mount
systemctl stop nfstuned
mount_as 4.2 /mnt/own /srv/data rsize=65536,nosharecache
# replace_own: a replace of that mount; sets $end
replace_own() {
  look_at /mnt/own
  prepare_toggle /mnt/own '.may_write = false'
  next_toggle
  ask_helper <<<"$request" >"$LAB_TMP/answer"
  note "$(jq -r .words "$LAB_TMP/answer")"
  end_of "$LAB_TMP/answer"
  forget_records
}
container --make-private /mnt/own
before=$(seen_by "$container" /mnt/own)
replace_own
if [ -n "$beneath" ]; then
  equal "a copy that is private: replaced" "done 1 rw,relatime $(mount_device /mnt/own)" "$end $(seen_by "$container" /mnt/own)"
else
  equal "a copy that would be lost: refused" refused "$end"
  equal "the copy is as it was" "$before" "$(seen_by "$container" /mnt/own)"
  check "the words name it" grep -q "process $container)" "$LAB_TMP/answer"
fi
equal "one mount here" 1 "$(mounts_at /mnt/own)"
kill "$container"
container -o remount,bind,ro /mnt/own
mount --make-private /mnt/own
old=$(mount_device /mnt/own)
replace_own
equal "ours is private: replaced, there too" "done 1 ro,relatime $(mount_device /mnt/own)" "$end $(seen_by "$container" /mnt/own)"
check_not "by another one" test "$old" = "$(mount_device /mnt/own)"
equal "one mount here, private" "1 -" "$(mounts_at /mnt/own) $(mount_line /mnt/own | cut -d' ' -f7)"

equal "nothing was taken back" 0 "$(count_events rolled-back --since "$cursor")"
equal "no record is left" "" "$(find /var/lib/nfstuned -name 'intent-*')"
finish
