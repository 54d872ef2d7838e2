#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=600 memory=1024
# The lab tests itself: does every trick of lib.sh have the effect that the other scenarios rely on?
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"

# ------------------------------------------------------------ a server, every version of the protocol
start_server
export_dir /srv/export rw,sync,no_root_squash
for version in 3 4.0 4.1 4.2; do
  check "mount with version $version" mount_as "$version" "/mnt/v$version" /srv/export
  equal "its effective version" "$version" "$(mount_option "/mnt/v$version" vers)"
  equal "and transfer size" 1048576 "$(mount_option "/mnt/v$version" wsize)"
  check "a file through it" cp /etc/services "/mnt/v$version/file-$version"
  check "reaches the server" cmp /etc/services "/srv/export/file-$version"
  check "a lock is granted" flock --timeout 20 "/mnt/v$version/file-$version" true
  check "unmount" umount "/mnt/v$version"
done
check "over IPv6" mount_as 4.2 /mnt/six "[$server_ip6]:/srv/export"
umount /mnt/six
check "nothing bypasses the network" assert_localio_off

restart_server --block-size 131072 --no-v4.0
mount_as 3 /mnt/small /srv/export
equal "a server with smaller transfers" 131072 "$(mount_option /mnt/small rsize)"
umount /mnt/small
check_not "a version switched off" mount_as 4.0 /mnt/small /srv/export
restart_server --block-size 1048576 --all-versions

# ------------------------------------------------------------ slow disk
make_disk slow 64
export_dir /srv/slow rw,sync,no_root_squash
wait_for mount_as 4.2 /mnt/slow /srv/slow sync
quick=$(median "$(editor_save_ms /mnt/slow 64)" "$(editor_save_ms /mnt/slow 64)" "$(editor_save_ms /mnt/slow 64)")
set_disk_delay slow 40
slow=$(editor_save_ms /mnt/slow 64)
note "8 synchronous writes: $quick ms, on the slow disk $slow ms"
check "a slow disk is slow" less 320 "$slow"
check "and was not before" less "$(ratio "$quick" 1)" "$(ratio "$slow" 2)"
export_dir /srv/slow rw,async,no_root_squash
check "not through an async export" less "$(editor_save_ms /mnt/slow 64)" "$(ratio "$slow" 2)"
export_dir /srv/slow rw,sync,no_root_squash
check "remounted async" mount -o remount,async,vers=4.2 "$server_ip:/srv/slow" /mnt/slow
check "it is async" test -z "$(mount_option /mnt/slow sync || true)"
set_disk_delay slow 0

# ------------------------------------------------------------ full, over quota, read-only, no longer exported
fill_disk slow
check_not "a full disk" sh -c 'cp /etc/services /mnt/slow/full && sync /mnt/slow/full'
free_disk slow
check "free again" sh -c 'cp /etc/services /mnt/slow/fits && sync /mnt/slow/fits'
readonly_disk slow
check_not "a read-only file system on the server" touch /mnt/slow/ro
writable_disk slow
check "writable again" touch /mnt/slow/rw
make_disk quota 32 --quota
in_server chmod 777 /srv/quota
set_quota quota nobody 256
export_dir /srv/quota rw,sync,no_root_squash
mount_as 4.2 /mnt/quota /srv/quota
check_not "over quota" setpriv --reuid 65534 --clear-groups /lab/guest/save /mnt/quota/big 1024
rm /mnt/quota/big
check "below the quota" setpriv --reuid 65534 --clear-groups /lab/guest/save /mnt/quota/little 64
umount /mnt/quota
export_dir /srv/export ro
mount_as 4.2 /mnt/ro /srv/export
check_not "a read-only export" touch /mnt/ro/x
umount /mnt/ro
unexport /srv/export
check_not "an export taken back" mount_as 4.2 /mnt/ro /srv/export
export_dir /srv/export rw,sync,no_root_squash

# ------------------------------------------------------------ slow network
mount_as 4.2 /mnt/net /srv/export actimeo=0
slow_network 60
begin=$(now_ms)
stat /mnt/net/file-3 >"$LAB_TMP/stat"
took=$(($(now_ms) - begin))
note "one stat over a round trip of 60 ms: $took ms"
check "a slow network is slow" test "$took" -ge 60
slow_network 1 0 4mbit
took=$(editor_save_ms /mnt/net 1024)
note "1 MiB over 4 Mbit/s: $took ms"
check "a rate is kept" less 2000 "$took"
slow_network 2 30
check "packets are lost" wait_for sh -c 'cat /mnt/net/file-3 >/dev/null; ping -c1 -W1 x >/dev/null 2>&1; tc -s qdisc show dev lab0 | grep -q "dropped [1-9]"'
fast_network
check "fast again" less "$(editor_save_ms /mnt/net 64)" "$took"

# ------------------------------------------------------------ a dead server
mount_as 3 /mnt/dead /srv/export soft,timeo=10,retrans=1,actimeo=0
kill_server
check_not "a dead server does not answer" timeout 20 stat /mnt/dead/file-3
check_not "nor does it refuse" timeout 2 bash -c "exec 3<>/dev/tcp/$server_ip/2049"
equal "the connection attempt times out" 124 "$(timeout 2 bash -c "exec 3<>/dev/tcp/$server_ip/2049" 2>/dev/null && echo 0 || echo $?)"
stat /mnt/net/file-3 >"$LAB_TMP/stat" & # a hard mount: waits
waiting=$!
sleep 1
check "a hard mount waits" kill -0 "$waiting"
revive_server
check "and goes on" wait_for --timeout 60 sh -c "! kill -0 $waiting"
check "the revived server answers" wait_for --timeout 60 stat /mnt/dead/file-3
umount /mnt/dead
server_address 198.51.100.7
kill_server 198.51.100.7
check_not "one address is dead" timeout 2 bash -c "exec 3<>/dev/tcp/198.51.100.7/2049"
check "the other is not" timeout 5 bash -c "exec 3<>/dev/tcp/$server_ip/2049"
revive_server
check "both live" timeout 5 bash -c "exec 3<>/dev/tcp/198.51.100.7/2049"
link_down
check_not "without cable" timeout 2 bash -c "exec 3<>/dev/tcp/$server_ip/2049"
link_up
check "with cable" wait_for timeout 5 bash -c "exec 3<>/dev/tcp/$server_ip/2049"
stop_server
equal "a stopped server refuses" 1 "$(timeout 2 bash -c "exec 3<>/dev/tcp/$server_ip/2049" 2>/dev/null && echo 0 || echo $?)"

# ------------------------------------------------------------ a hostile server
start_hostile close
check "something else listens" timeout 5 bash -c "exec 3<>/dev/tcp/$server_ip/2049"
stop_hostile
begin=$(now_ms)
start_server
check "the mount survives the restart" wait_for --timeout 60 cp /etc/services /mnt/net/after-restart
note "usable after $(($(now_ms) - begin)) ms"

# ------------------------------------------------------------ stacked mounts, a second server
mount_as 4.2 /mnt/stack /srv/export
lower=$(mount_id /mnt/stack)
mount_as 4.2 /mnt/stack /srv/slow nosharecache,rsize=32768,wsize=32768
equal "two mounts at one path" 2 "$(mounts_at /mnt/stack)"
check "the upper one is shown" test "$(mount_id /mnt/stack)" != "$lower"
equal "with its options" 32768 "$(mount_option /mnt/stack wsize)"
umount /mnt/stack
equal "below it the other" "$lower" "$(mount_id /mnt/stack)"
use_server other
start_server --v3-only
export_dir /srv/other rw,sync,no_root_squash
check "a second server" mount_as 3 /mnt/other /srv/other
check_not "which has no version 4" mount_as 4.2 /mnt/other4 /srv/other
kill_server
use_server server
check "dies without the first" touch /mnt/net/still-here

# ------------------------------------------------------------ journal
cursor=$(journal_cursor)
logger --journald <<END
MESSAGE=The lab speaks
NFSTUNED_EVENT=recommendation
NFSTUNED_RULE=lab-rule
END
check "a journal entry is found" wait_for_journal --since "$cursor" NFSTUNED_EVENT=recommendation NFSTUNED_RULE=lab-rule
equal "its message" "The lab speaks" "$(journal_events recommendation lab-rule --since "$cursor" | jq -r .MESSAGE)"
equal "counted" 1 "$(count_events recommendation --since "$cursor")"
equal "not after the end" 0 "$(count_events recommendation --since "$(journal_cursor)")"

equal "median" 3 "$(median 5 1 3)"
equal "ratio" 2.500 "$(ratio 5 2)"
mkdir -p /lab/out
echo kept >/lab/out/kept
finish
