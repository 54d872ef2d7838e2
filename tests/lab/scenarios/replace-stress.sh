#!/bin/bash
# lab: smoke kernels=6.12 timeout=400 memory=1024
#
# Nobody notices a replace: a reader that opens and stats a file as fast as it can sees no failure while the mount below it is
# replaced again and again; a writer with a lock goes on across a change with --busy detach; idle tests leave the mount
# alone. replace-stress-full.sh does 100 replaces and 1,000 idle tests.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh
replaces=${replaces:-12}
idle_tests=${idle_tests:-50}
export STATE_DIRECTORY=/var/lib/nfstuned

export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
mount_as 4.2 /mnt/data /srv/data rsize=65536,nosuid
assert_localio_off
echo hello >/mnt/data/file

# ---- idle tests
look_at /mnt/data
untouched=$id
request look /mnt/data "" "" "" >"$LAB_TMP/look"
idle=0
for ((i = 0; i < idle_tests; i++)); do
  "$mount_helper" --stdio <"$LAB_TMP/look" >"$LAB_TMP/answer" || break
  end_of "$LAB_TMP/answer"
  if [ "$end" = "done" ]; then idle=$((idle + 1)); fi
done
look_at /mnt/data
equal "$idle_tests idle tests find it idle" "$idle_tests" "$idle"
equal "the mount is the same" "$untouched 1" "$id $n_here"

# ---- a reader without rest
prepare_toggle /mnt/data '.busy = "wait"'

# reveal: what waits beneath is tried again as the daemon does it, only faster
reveal() {
  local try
  as_op reveal >"$LAB_TMP/reveal"
  for ((try = 0; try < 100; try++)); do
    "$mount_helper" --stdio <"$LAB_TMP/reveal" >"$LAB_TMP/answer"
    end_of "$LAB_TMP/answer"
    tries=$((tries + 1))
    [ "$end" = armed ] || return 0
  done
}

/lab/guest/busy read /mnt/data/file >"$LAB_TMP/reader" &
reader=$!
waited=0 tries=0 replaced=0 problems=
for ((i = 0; i < replaces; i++)); do
  look_at /mnt/data
  next_toggle
  # every other one is detached from under the reader
  if [ $((i % 2)) = 1 ]; then request=${request/\"busy\":\"wait\"/\"busy\":\"detach\"}; fi
  "$mount_helper" --stdio <<<"$request" >"$LAB_TMP/answer"
  end_of "$LAB_TMP/answer"
  if [ "$end" = armed ]; then
    waited=$((waited + 1))
    reveal
  fi
  look_at /mnt/data
  if [ "$end $n_here $size" = "done 1 $new_size" ]; then
    replaced=$((replaced + 1))
  else
    problems+=" $i: $end, $n_here mounts, rsize $size, wanted $new_size;"
    note "$(<"$LAB_TMP/answer")"
  fi
  forget_records
done
kill -TERM "$reader"
wait "$reader" || true
read -r operations failures _ words <"$LAB_TMP/reader"
note "$operations operations of the reader during $replaced replaces, $waited of them waited beneath ($tries tries)"
equal "replaced each time" "$replaces" "$replaced$problems"
equal "no operation failed" "0 -" "$failures $words"
check "the reader was busy" test "$operations" -gt $((replaces * 20))

# ---- a writer with a lock, and the service
umount /mnt/data
mount_as 4.2 /mnt/data /srv/data rsize=32768,wsize=32768
printf '[daemon]\nspread = 0\npassive_interval = 2s\n' | nfstuned_config
cursor=$(journal_cursor)
check "the service starts" systemctl start nfstuned
check "something is to be done" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=recommendation NFSTUNED_RULE=stale-io-size
/lab/guest/busy write /mnt/data/written >"$LAB_TMP/writer" &
writer=$!
is_locked() { ! in_server python3 -c 'import fcntl; fcntl.lockf(open("/srv/data/written", "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null; }
check "the writer has its lock" wait_for is_locked
look_at /mnt/data
before=$id
nfstunectl apply /mnt/data --busy detach --json >"$LAB_TMP/outcome" 2>&1 || true
note "$(jq -r '"\(.end): \(.words)"' "$LAB_TMP/outcome" || cat "$LAB_TMP/outcome")"
check "applied" wait_for_journal --since "$cursor" NFSTUNED_EVENT=applied NFSTUNED_MOUNT=/mnt/data
look_at /mnt/data
equal "one mount there" 1 "$n_here"
check_not "it is another one" [ "$before" = "$id" ]
check "the writer goes on" kill -0 "$writer"
check "the lock is still held at the server" is_locked
size_then=$(in_server stat -c %s /srv/data/written)
sleep 2
kill -TERM "$writer"
wait "$writer" || true
read -r operations failures bytes words <"$LAB_TMP/writer"
note "$operations operations of the writer"
equal "none failed" "0 -" "$failures $words"
check "it wrote on after the change" test "$bytes" -gt "$size_then"
equal "all bytes are on the server" "$bytes right" "$(in_server python3 -c '
import struct
data = open("/srv/data/written", "rb").read()
right = all(data[i:i + 4096] == struct.pack("=I", i // 4096) * 1024 for i in range(0, len(data), 4096))
print(len(data), "right" if right else "wrong")')"
check_not "the lock is free" is_locked
finish
