#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=600 memory=1024
#
# What the table of mount options claims of the kernel, asked of the kernel: is the option in mountinfo, and what
# does a remount with another value do?
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project

make_disk data 100
# noresvport needs a server that takes calls from any port
export_dir /srv/data rw,sync,no_root_squash,no_subtree_check,insecure
start_server
assert_localio_off
mkdir -p /mnt/t

claim() { nfstunectl explain --json "$1" | jq -r "select(.kind == \"option\") | .$2"; }
# "ro" may stand there twice, for the mount and for its superblock
shown() { mount_options /mnt/t | tr ',' '\n' | sort -u | grep -c -x -F -- "$1" || true; }

# Both source and target, so that no fstab is read (mount.nfs adds nothing either: there is no nfsmount.conf).
remount() { mount -o "remount,$1" "$server_ip:/srv/data" /mnt/t >"$LAB_TMP/remount" 2>&1; }

# NAME VERSION OPTION-AS-MOUNTED SHOWN-IN-MOUNTINFO OPTION-AS-REMOUNTED SHOWN-AFTERWARDS-IF-LIVE
# The last two are "-" where a remount cannot be told from doing nothing.
while read -r name version option text other after; do
  check "$name: mounts with $option" mount -t nfs -o "vers=$version,$option" "$server_ip:/srv/data" /mnt/t
  printed=$(claim "$name" printed)
  if [ "$printed" = never ]; then
    equal "$name: is never shown" 0 "$(shown "$text")"
  else
    equal "$name: is shown ($printed)" 1 "$(shown "$text")"
  fi
  if [ "$other" != - ]; then
    before=$(mount_options /mnt/t)
    outcome=refused
    if remount "$other"; then
      outcome=ignored
      [ "$(mount_options /mnt/t)" = "$before" ] || outcome=live
    fi
    equal "$name: a remount with $other" "$(claim "$name" remount)" "$outcome"
    [ "$outcome" != live ] || [ "$after" = - ] || equal "$name: and then" 1 "$(shown "$after")"
  fi
  check "$name: unmounts" umount /mnt/t
done <<'END'
sync 4.2 sync sync async -
async 4.2 async async sync sync
ro 4.2 ro ro rw rw
noatime 4.2 noatime noatime relatime relatime
nosuid 4.2 nosuid nosuid suid -
nodev 4.2 nodev nodev dev -
noexec 4.2 noexec noexec exec -
rsize 4.2 rsize=32768 rsize=32768 rsize=65536 -
wsize 4.2 wsize=32768 wsize=32768 wsize=65536 -
rsize 3 rsize=32768 rsize=32768 rsize=65536 -
timeo 4.2 timeo=300 timeo=300 timeo=400 -
retrans 4.2 retrans=3 retrans=3 retrans=4 -
hard 4.2 hard hard soft -
soft 4.2 soft soft hard -
softerr 4.2 softerr softerr hard -
softreval 4.2 softreval softreval nosoftreval -
noac 4.2 noac noac ac -
ac 4.2 ac ac - -
actimeo 4.2 actimeo=7 actimeo=7 actimeo=9 -
acregmin 4.2 acregmin=7 acregmin=7 acregmin=9 -
acregmax 4.2 acregmax=70 acregmax=70 acregmax=90 -
acdirmin 4.2 acdirmin=7 acdirmin=7 acdirmin=9 -
acdirmax 4.2 acdirmax=70 acdirmax=70 acdirmax=90 -
lookupcache 4.2 lookupcache=none lookupcache=none lookupcache=all -
nocto 4.2 nocto nocto cto -
cto 4.2 cto cto - -
nolock 3 nolock nolock lock -
lock 3 lock lock - -
local_lock 3 local_lock=flock local_lock=flock local_lock=none -
noacl 3 noacl noacl acl -
acl 3 acl acl - -
nordirplus 3 nordirplus nordirplus rdirplus -
nosharecache 4.2 nosharecache nosharecache sharecache -
sharecache 4.2 sharecache sharecache - -
noresvport 4.2 noresvport noresvport resvport -
resvport 4.2 resvport resvport - -
nconnect 4.2 nconnect=3 nconnect=3 nconnect=2 -
max_connect 4.2 max_connect=3 max_connect=3 max_connect=2 -
port 3 port=2049 port=2049 - -
proto 4.2 proto=tcp proto=tcp proto=rdma -
tcp 4.2 tcp tcp - -
sec 4.2 sec=sys sec=sys sec=krb5 -
write 4.2 write=eager write=eager write=wait -
bg 4.2 bg bg fg -
fg 4.2 fg fg - -
retry 4.2 retry=1 retry=1 retry=2 -
intr 4.2 intr intr nointr -
vers 4.2 rw vers=4.2 vers=4.1 -
nfsvers 4.2 rw vers=4.2 nfsvers=4.1 -
mountproto 3 mountproto=tcp mountproto=tcp mountproto=udp -
mountvers 3 mountvers=3 mountvers=3 - -
clientaddr 4.0 clientaddr=127.0.0.9 clientaddr=127.0.0.9 clientaddr=127.0.0.8 -
_netdev 4.2 _netdev _netdev - -
nofail 4.2 nofail nofail - -
noauto 4.2 noauto noauto - -
defaults 4.2 defaults defaults - -
END

# Values that are none: refused by the whole mount call, as the lint says
for option in rsize=32k wsize=abc timeo=ten lookupcache=most proto=sctp rszie=32768; do
  check_not "$option is refused" mount -t nfs -o "vers=4.2,$option" "$server_ip:/srv/data" /mnt/t
done
finish
