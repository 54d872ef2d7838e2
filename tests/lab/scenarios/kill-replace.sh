#!/bin/bash
# lab: smoke kernels=6.1 timeout=600 memory=1024
#
# nfstuned-mount is killed with SIGKILL at the entry of its system calls while it replaces a mount in use, one call in each
# run; then the record is recovered as the daemon does it. Each time the path is mounted, once, with the old or the new
# options, and nothing is left; a container that has it read-only has it so again. A tracer stops the very program that is installed: it has no hooks for tests.
# kill-replace-full.sh takes every one of its system calls; kill-apply.sh kills service and helper at work together.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh
# what is stopped at (strace's words)
calls=${calls:-fsync,rename,renameat,unlinkat,unshare,mount,fsopen,fsmount,move_mount,open_tree,setns,mount_setattr,umount2,pipe2}
most_of_each=${most_of_each:-4}
# yes: over another mount, which must not be taken for the one that was there
stacked=${stacked:-}
# yes: not shared with other mount namespaces
private=${private:-}

export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
mkdir -p /mnt/data
mounts=1
if [ -n "$stacked" ]; then
  mount -t tmpfs below /mnt/data
  mounts=2
fi
mount_as 4.2 /mnt/data /srv/data rsize=65536,nosuid
if [ -n "$private" ]; then mount --make-private /mnt/data; fi
assert_localio_off
unshare -m --propagation slave sleep infinity &
container=$!
cleanup_fn kill "$container"
in_container() { [ "$(readlink "/proc/$container/ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ]; }
wait_for in_container
nsenter -m -t "$container" mount -o remount,bind,ro /mnt/data
# The one that has the same superblock as ours, whatever lies below or above it: read-only?
is_read_only_there() {
  local line
  while read -r line; do
    if [[ $line = *" $device / /mnt/data ro,"* ]]; then return 0; fi
  done <"/proc/$container/mountinfo"
  return 1
}
echo hello >/mnt/data/file
export STATE_DIRECTORY=/var/lib/nfstuned
# How many mount namespaces live.
count_namespaces() { readlink /proc/[0-9]*/ns/mnt 2>/dev/null | sort -u | wc -l || true; }
namespaces_before=$(count_namespaces)

look_at /mnt/data
peers_before=${peers%%:*}
prepare_toggle /mnt/data

# stopped_at CALL N: the helper is killed when it enters that call for the Nth time
stopped_at() {
  strace -f -qq -e trace="$1" -e inject="$1:signal=KILL:when=$2" -o /dev/null "$mount_helper" --stdio <<<"$request" \
    >"$LAB_TMP/answer" 2>"$LAB_TMP/errors" || true
}
recover() { as_op recover | "$mount_helper" --stdio >"$LAB_TMP/recovered" || true; }

# a first run tells which calls are made how often
next_toggle
strace -f -qq -e trace="$calls" -o "$LAB_TMP/trace" "$mount_helper" --stdio <<<"$request" >"$LAB_TMP/answer"
look_at /mnt/data
end_of "$LAB_TMP/answer"
equal "undisturbed it is replaced" "done $new_size" "$end $size"
forget_records
# counted for each process by itself, as the tracer does it
sed -n 's/^\([0-9]*\) *\([a-z_0-9]*\)(.*/\1 \2/p' "$LAB_TMP/trace" | grep -v -E ' (execve|exit|exit_group)$' | sort | uniq -c |
  awk -v most="$most_of_each" '$1 > n[$3] {n[$3] = $1}
    END {for (call in n) for (i = 1; i <= n[call]; i++) if (i <= most / 2 || i > n[call] - most / 2) print call, i}' |
  sort -k 1,1 -k 2,2n >"$LAB_TMP/points"
note "$(wc -l <"$LAB_TMP/points") points: $(awk '{print $1}' "$LAB_TMP/points" | sort | uniq -c | awk '{print $2 " " $1}' | xargs)"
check "at least ${least_points:=20} points" test "$(wc -l <"$LAB_TMP/points")" -ge "$least_points"

declare -A ends=()
hello='' reached=0
while read -r call n <&9; do
  old_size=$size
  next_toggle
  stopped_at "$call" "$n" 2>/dev/null # bash tells of each that was killed
  end_of "$LAB_TMP/answer"
  # "refused": it was its child that was killed
  case $end in '' | refused | failed) reached=$((reached + 1)) ;; esac
  recover
  end_of "$LAB_TMP/recovered"
  look_at /mnt/data
  count_records
  ends[$end]=$((${ends[$end]:-0} + 1))
  problem=
  [ "$size" = "$old_size" ] || [ "$size" = "$new_size" ] || problem="rsize is $size"
  [ "$n_here" = "$mounts" ] || problem="$n_here mounts"
  [ "$end" = "done" ] || [ "$n_records" = 0 ] || problem="a record is left"
  case $end in
    "done") [ "$size" = "$new_size" ] || problem="done, but rsize is $size" ;;
    nothing) [ "$size" = "$old_size" ] || problem="nothing, but rsize is $size" ;;
    *) problem="recovered: $(<"$LAB_TMP/recovered")" ;;
  esac
  { read -r hello </mnt/data/file; } 2>/dev/null && [ "$hello" = hello ] || problem="the file cannot be read"
  [[ ,$flags, = *,nosuid,* ]] || problem="nosuid is lost"
  [[ $peers = "$peers_before"* ]] || problem="its propagation is $peers"
  is_read_only_there || [[ $(<"$LAB_TMP/answer") = *"could not be given back"* ]] || problem="not read-only in the container"
  if [ -n "$problem" ]; then fail "killed at $call $n" "$problem"; else pass "killed at $call $n: $end"; fi
  forget_records
done 9<"$LAB_TMP/points"
# how often a call is made varies a little
check "$reached of them were reached" test "$reached" -ge $(($(wc -l <"$LAB_TMP/points") * 9 / 10))
for end in "${!ends[@]}"; do note "recovered: $end ${ends[$end]} times"; done
equal "no staging mount is left anywhere" "" "$(grep -h -s -E ' /sys/fs [^-]* - nfs' /proc/[0-9]*/mountinfo || true)"
equal "no mount namespace is left" "$namespaces_before" "$(count_namespaces)"
finish
