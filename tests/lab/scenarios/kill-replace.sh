#!/bin/bash
# lab: smoke kernels=6.12,6.1 timeout=900 memory=1024
#
# nfstuned-mount is killed with SIGKILL at the entry of its system calls while it replaces a mount in use, one call in each
# run; then the record is recovered as the daemon does it. Each time the path is mounted, once, with the old or the new
# options, and nothing is left. A tracer stops the very program that is installed: it has no hooks for tests.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh
# what is stopped at: all of them for the full matrix
calls=${calls:-fsync,rename,renameat,unlinkat,unshare,mount,fsopen,fsmount,move_mount,open_tree,setns,mount_setattr,umount2}
most_of_each=${most_of_each:-4}
# yes: over another mount, which must not be taken for the one that was there
stacked=${stacked:-}

export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
mkdir -p /mnt/data
mounts=1
if [ -n "$stacked" ]; then
  mount -t tmpfs below /mnt/data
  mounts=2
fi
mount_as 4.2 /mnt/data /srv/data rsize=65536,nosuid
assert_localio_off
echo hello >/mnt/data/file
# How many mount namespaces live.
count_namespaces() { readlink /proc/[0-9]*/ns/mnt 2>/dev/null | sort -u | wc -l || true; }
namespaces_before=$(count_namespaces)

# next_request: a request that toggles rsize
next_request() {
  local now size=131072
  now=$(asked /mnt/data)
  [ "$(mount_option /mnt/data rsize)" != 131072 ] || size=65536
  new_size=$size
  request replace /mnt/data rsize "$now" "$(without "$now" rsize),rsize=$size" >"$LAB_TMP/request"
}
# stopped_at CALL N: the helper is killed when it enters that call for the Nth time
stopped_at() {
  strace -f -qq -e trace="$1" -e inject="$1:signal=KILL:when=$2" -o /dev/null \
    env STATE_DIRECTORY=/var/lib/nfstuned "$mount_helper" --stdio <"$LAB_TMP/request" >"$LAB_TMP/answer" || true
}
recover() { jq -c '.op = "recover"' "$LAB_TMP/request" | ask_helper >"$LAB_TMP/recovered"; }
undo() { rm -f /var/lib/nfstuned/intent-*; }

# a first run tells which calls are made how often
next_request
strace -f -qq -e trace="$calls" -o "$LAB_TMP/trace" env STATE_DIRECTORY=/var/lib/nfstuned "$mount_helper" --stdio <"$LAB_TMP/request" >"$LAB_TMP/answer"
equal "undisturbed it is replaced" "done $new_size" "$(jq -r .end "$LAB_TMP/answer") $(mount_option /mnt/data rsize)"
undo
sed 's/^[0-9]* *//' "$LAB_TMP/trace" | sed -n 's/^\([a-z_0-9]*\)(.*/\1/p' | sort | uniq -c |
  awk -v most="$most_of_each" '{n = $1; for (i = 1; i <= n; i++) if (i <= most / 2 || i > n - most / 2 || most >= n) print $2, i}' >"$LAB_TMP/points"
note "$(wc -l <"$LAB_TMP/points") points: $(awk '{print $1}' "$LAB_TMP/points" | sort | uniq -c | awk '{print $2 " " $1}' | xargs)"
check "at least ${least_points:=20} points" test "$(wc -l <"$LAB_TMP/points")" -ge "$least_points"

declare -A ends=()
while read -r call n <&9; do
  next_request
  old_size=$(mount_option /mnt/data rsize)
  stopped_at "$call" "$n" 2>/dev/null
  reached=yes
  ! grep -q end "$LAB_TMP/answer" || reached=
  recover
  now=$(mount_option /mnt/data rsize || echo none)
  end=$(jq -r .end "$LAB_TMP/recovered")
  ends[$end]=$((${ends[$end]:-0} + 1))
  problem=
  [ -n "$reached" ] || problem="it was not reached"
  [ "$now" = "$old_size" ] || [ "$now" = "$new_size" ] || problem="rsize is $now"
  [ "$(mounts_at /mnt/data)" = "$mounts" ] || problem="$(mounts_at /mnt/data) mounts"
  [ "$end" = "done" ] || [ -z "$(records)" ] || problem="a record is left"
  case $end in
    "done") [ "$now" = "$new_size" ] || problem="done, but rsize is $now" ;;
    nothing) [ "$now" = "$old_size" ] || [ "$n" -gt 1 ] || problem="nothing, but rsize is $now" ;;
    *) problem="recovered: $(cat "$LAB_TMP/recovered")" ;;
  esac
  [ "$(cat /mnt/data/file 2>&1)" = hello ] || problem="the file cannot be read"
  ! grep -q nosuid <<<"$(mount_options /mnt/data)" && problem="nosuid is lost"
  if [ -n "$problem" ]; then fail "killed at $call $n" "$problem"; else pass "killed at $call $n: $end"; fi
  undo
done 9<"$LAB_TMP/points"
for end in "${!ends[@]}"; do note "recovered: $end ${ends[$end]} times"; done
equal "no staging mount is left anywhere" "" "$(grep -h -s -E ' /sys/fs [^-]* - nfs' /proc/[0-9]*/mountinfo || true)"
equal "no mount namespace is left" "$namespaces_before" "$(count_namespaces)"
finish
