#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=600 memory=1024
#
# nfstuned-mount by itself: a new mount in place of the old one, with and without users; idle tests; what is refused.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh

export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
stale=sync,rsize=32768,wsize=32768,nosuid,noatime
mount_as 4.2 /mnt/data /srv/data "$stale"
assert_localio_off
echo hello >/mnt/data/file

beneath=
[ "$LAB_KERNEL" = 6.1 ] || beneath=yes

# replace KEYS TO [JQ]: from the present options; sets $end and $LAB_TMP/answer
replace() {
  request replace /mnt/data "$1" "$(asked /mnt/data)" "$2" "${3:-.}" | ask_helper >"$LAB_TMP/answer" || true
  end=$(jq -r '.end // .error' "$LAB_TMP/answer")
  [ "$end" = "done" ] || note "$(jq -r '.words' "$LAB_TMP/answer")"
}
undo() { rm -f /var/lib/nfstuned/intent-*; }

# ---- idle tests
id=$(mount_id /mnt/data)
request look /mnt/data "" "" "" >"$LAB_TMP/look"
for _ in $(seq 200); do ask_helper <"$LAB_TMP/look" >"$LAB_TMP/answer" || break; done
equal "200 idle tests: idle" "done false" "$(jq -r '"\(.end) \(.busy // false)"' "$LAB_TMP/answer")"
equal "the mount is the same" "$id" "$(mount_id /mnt/data)"
exec 7</mnt/data/file
ask_helper <"$LAB_TMP/look" >"$LAB_TMP/answer"
equal "busy is seen" true "$(jq .busy "$LAB_TMP/answer")"

# ---- refused because busy
good=$(without "$(asked /mnt/data)" sync rsize wsize)
replace sync,rsize,wsize "$good"
equal "a busy mount is refused" busy "$end"
equal "nothing is left of it" "" "$(records)"
equal "the mount is the same" "$id" "$(mount_id /mnt/data)"
exec 7<&-

# ---- replaced
before=$(mount_options /mnt/data)
replace sync,rsize,wsize "$good"
equal "replaced" "done" "$end"
note "before: $before"
note "after:  $(mount_options /mnt/data)"
check_not "sync is gone" mount_option /mnt/data sync
equal "the sizes are the server's" "1048576 1048576" "$(mount_option /mnt/data rsize) $(mount_option /mnt/data wsize)"
equal "nothing else changed" "" "$(comm -3 <(tr ',' '\n' <<<"$before" | sort -u) <(mount_options /mnt/data | tr ',' '\n' | sort -u) |
  tr -d '\t' | grep -v -E '^(sync|rsize=|wsize=)' | paste -sd' ')"
equal "one mount there" 1 "$(mounts_at /mnt/data)"
equal "its record waits for the daemon" 1 "$(records | wc -l)"
equal "the file is there" hello "$(cat /mnt/data/file)"
check "no test file is left" wait_for --timeout 60 no_test_files /srv/data
undo

# ---- what is refused
id=$(mount_id /mnt/data)
refused() {
  local name=$1 words=$2
  shift 2
  replace "$@"
  equal "$name: refused" refused "$end"
  check "$name: says why" grep -q -i "$words" "$LAB_TMP/answer"
  equal "$name: the mount is untouched" "$id 1" "$(mount_id /mnt/data) $(mounts_at /mnt/data)"
  equal "$name: no record" "" "$(records)"
}
now=$(asked /mnt/data)
refused "another server" server rsize "$now,rsize=65536" '.staging.to |= sub("addr=[0-9.]*"; "addr=192.0.2.9")'
refused "another mount id" "not the one" rsize "$now,rsize=65536" '.mount.mount_id += 1'
refused "another path" "not the one" rsize "$(without "$now" rsize),rsize=65536" '.mount.target = "/mnt/other"'
refused "an option the server refuses" "denied\|refuse\|not permitted" sec "$(without "$now" sec),sec=krb5"
refused "more than the keys differ" wsize rsize "$(without "$now" rsize wsize),rsize=65536,wsize=65536"
refused "nothing would change" . wsize "$now"
mkdir -p /mnt/data/sub
mount -t tmpfs none /mnt/data/sub
refused "a submount" below rsize "$(without "$now" rsize),rsize=65536"
umount /mnt/data/sub

# ---- armed
if [ -n "$beneath" ]; then
  cd /mnt/data
  replace rsize "$(without "$now" rsize),rsize=65536" '.busy = "wait"'
  equal "a busy mount is armed" armed "$end"
  equal "two mounts there" 2 "$(mounts_at /mnt/data)"
  equal "the old one serves" "$id" "$(mount_id /mnt/data)"
  request reveal /mnt/data "" "" "" >"$LAB_TMP/reveal"
  ask_helper <"$LAB_TMP/reveal" >"$LAB_TMP/answer"
  equal "still busy" armed "$(jq -r .end "$LAB_TMP/answer")"
  cd /
  ask_helper <"$LAB_TMP/reveal" >"$LAB_TMP/answer"
  equal "revealed" "done" "$(jq -r .end "$LAB_TMP/answer")"
  equal "one mount there" 1 "$(mounts_at /mnt/data)"
  equal "with the new size" 65536 "$(mount_option /mnt/data rsize)"
  undo
fi

# ---- detached: the writer goes on
now=$(asked /mnt/data)
exec 8>/mnt/data/written
flock 8
echo one >&8
replace rsize "$(without "$now" rsize),rsize=131072" '.busy = "detach"'
equal "detached" "done" "$end"
equal "with the new size" 131072 "$(mount_option /mnt/data rsize)"
# Asked on the server: a server that hands out write delegations gives one to the new mount of the same client, which then
# keeps its locks to itself (Linux 6.12, knfsd); other hosts see the lock either way.
check_not "the lock is still held" in_server python3 -c 'import fcntl; fcntl.lockf(open("/srv/data/written", "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB)'
echo two >&8
exec 8>&-
equal "all bytes are on the server" "one two" "$(in_server cat /srv/data/written | xargs)"
check "the lock is free" in_server python3 -c 'import fcntl; fcntl.lockf(open("/srv/data/written", "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB)'
undo

# ---- live
before=$(mount_options /mnt/data)
request live /mnt/data sync "$(asked /mnt/data)" "$(asked /mnt/data),sync" | ask_helper >"$LAB_TMP/answer"
equal "sync set live" "done" "$(jq -r .end "$LAB_TMP/answer")"
check "sync is effective" mount_option /mnt/data sync
request live /mnt/data sync "$(asked /mnt/data)" "$(without "$(asked /mnt/data)" sync)" | ask_helper >"$LAB_TMP/answer"
equal "and taken away" "done" "$(jq -r .end "$LAB_TMP/answer")"
equal "everything is as before" "$before" "$(mount_options /mnt/data)"
finish
