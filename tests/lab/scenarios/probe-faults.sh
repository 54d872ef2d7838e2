#!/bin/bash
# lab: smoke kernels=6.12 timeout=400 memory=1024
#
# The probe meets a full disk, a quota, a squashed root, read-only exports and mounts, planted symbolic links, and a mount
# that vanishes or is exchanged under it: a clear result each time, nothing left, nothing written elsewhere.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
# shellcheck source=tests/lab/scenarios/common/faults.sh
. /lab/scenarios/common/faults.sh
require_project

make_disk small 16
make_disk quota 32 --quota
make_disk readonly 16
make_disk data 32
start_server
assert_localio_off
versions=${FAULT_VERSIONS:-4.2}

# probe_mount TARGET: one round with writing, for a person's eyes and for outcomes
probe_mount() { nfstuned --once --json "$1" >"$LAB_TMP/once.json" 2>"$LAB_TMP/once.err" || { cat "$LAB_TMP/once.err"; return 1; }; }

# outcomes: print the different outcomes of that round, joined by commas
outcomes() { jq -r '.mounts[0].probe | if .state == "active" then [.workloads[].outcome] | unique | join(",") else .state end' "$LAB_TMP/once.json"; }

# expect NAME TARGET DIR OUTCOME…: probe it; the outcome is one of those, and nothing is left in the server's directory
expect() {
  local name=$1 target=$2 dir=$3 got
  shift 3
  check "$name: the round ends well" probe_mount "$target"
  got=$(outcomes)
  case " $* " in
    *" $got "*) pass "$name is $got" ;;
    *)
      fail "$name is ${*}" "got '$got'"
      jq -c '.mounts[0].probe' "$LAB_TMP/once.json" | cut -c1-2000
      ;;
  esac
  check "$name: nothing is left" no_own_files "$dir"
}

# with_mount VERSION DIR EXPORT_OPTIONS MOUNT_OPTIONS: export and mount it at /mnt/x
with_mount() {
  export_dir "$2" "$3,no_subtree_check"
  mount_as "$1" /mnt/x "$2" "${4:-rw}"
}

without_mount() { umount /mnt/x; }

for version in $versions; do
  with_mount "$version" /srv/small rw,sync,no_root_squash
  expect "v$version: an ordinary export" /mnt/x /srv/small ok
  fill_disk small
  expect "v$version: a full disk" /mnt/x /srv/small no-space
  free_disk small
  fill_disk small 200
  expect "v$version: an almost full disk" /mnt/x /srv/small no-space no-space,ok ok,no-space
  free_disk small
  expect "v$version: space again" /mnt/x /srv/small ok
  without_mount

  in_server sh -c 'chown 4321 /srv/quota && chmod 700 /srv/quota'
  set_quota quota 4321 100
  with_mount "$version" /srv/quota rw,sync,all_squash,anonuid=4321,anongid=4321
  expect "v$version: over quota" /mnt/x /srv/quota quota ok,quota
  without_mount

  in_server sh -c 'mkdir -p /srv/data/owned /srv/data/closed && chown 1001 /srv/data/owned && chmod 700 /srv/data/owned && chmod 755 /srv/data/closed'
  with_mount "$version" /srv/data/owned rw,sync,root_squash
  expect "v$version: squashed root, somebody's directory" /mnt/x /srv/data/owned ok
  without_mount
  with_mount "$version" /srv/data/closed rw,sync,root_squash
  expect "v$version: squashed root, nothing writable" /mnt/x /srv/data/closed denied
  without_mount

  with_mount "$version" /srv/data/ro ro,sync,no_root_squash
  expect "v$version: a read-only export" /mnt/x /srv/data/ro read-only
  without_mount
  with_mount "$version" /srv/data/rw rw,sync,no_root_squash ro
  expect "v$version: a read-only mount" /mnt/x /srv/data/rw read-only passive
  without_mount
  with_mount "$version" /srv/readonly rw,sync,no_root_squash
  readonly_disk readonly
  expect "v$version: a file system that went read-only on the server" /mnt/x /srv/readonly read-only
  writable_disk readonly
  without_mount
done

# ---- planted links; version-independent
victim=/root/victim
mkdir -p $victim
echo precious >$victim/file
with_mount 4.2 /srv/data/links rw,sync,no_root_squash
in_server sh -c "mkdir -p /srv/data/links/real && ln -s $victim /srv/data/links/probe && ln -s real /srv/data/links/inner && ln -s ../../../../root/victim /srv/data/links/up"
for directory in probe inner up ../data real/../../../root/victim; do
  nfstuned_config <<<"[probe]
directory = $directory" || true
  if nfstuned --check-config >"$LAB_TMP/config" 2>&1; then
    expect "the directory is $directory" /mnt/x /srv/data/links unsafe
  else
    pass "the directory $directory is refused by the configuration"
  fi
  equal "the directory is $directory: nothing written there" file "$(ls -A $victim)"
done
nfstuned_config <<<"[probe]
directory = real"
expect "a real directory" /mnt/x /srv/data/links ok
nfstuned_config <<<"[probe]
directory = missing"
expect "a directory that is not there" /mnt/x /srv/data/links skipped
rm /etc/nfstuned/conf.d/lab.conf

# a link, a directory and a pipe under a name of ours, of a process that is gone
kill_for_name() {
  nfstuned --once --json /mnt/x >/dev/null 2>&1 &
  wait_for --timeout 20 has_own_files /srv/data/links
  # shellcheck disable=SC2046
  kill -9 $(helpers)
  wait $! || true
}
set_disk_delay data 100
check "a killed probe leaves its file" kill_for_name
set_disk_delay data 0
left=$(own_files /srv/data/links | head -n 1)
check "it has our name" grep -q -E '^\.nfstuned-[0-9a-f]{32}-[0-9a-f]{32}-[0-9]+-[0-9]+-[0-9]+$' <<<"$left"
in_server sh -c "cd /srv/data/links && ln -s $victim/file '${left%-*}-91' && mkdir '${left%-*}-92' && mkfifo '${left%-*}-93' && ln real/.. '${left%-*}-94' 2>/dev/null; echo x >real/kept; ln real/kept '${left%-*}-95'"
check "the next round" probe_mount /mnt/x
equal "its outcome" ok "$(outcomes)"
check_not "the leftover is swept" in_server test -e "/srv/data/links/$left"
equal "the link's target is untouched" precious "$(cat $victim/file)"
equal "so is the other name of a swept file" x "$(in_server cat /srv/data/links/real/kept)"
check "what is no regular file stays" in_server test -d "/srv/data/links/${left%-*}-92"
in_server sh -c "cd /srv/data/links && rm -rf .nfstuned-*"

# ---- the mount goes away or is exchanged; a slow network gives time to do it
mkdir -p /root/other
slow_network 60
# vanish NAME HOW INSTANT: start a probe, and at that instant do HOW
vanish() {
  local name=$1 how=$2 instant=$3 job
  probe_mount /mnt/x &
  job=$!
  wait_for --timeout 20 helper_runs || true
  sleep "$instant"
  "$how"
  wait $job || true
  note "$name: $(outcomes 2>&1)"
  while umount -l /mnt/x 2>/dev/null; do :; done
  equal "$name: nothing below the mount point" "" "$(ls -A /mnt/x)"
  equal "$name: nothing in the other directory" "" "$(ls -A /root/other)"
  check "$name: no helper stays" wait_for --timeout 30 no_helper
  check "$name: nothing is left on the server" wait_for --timeout 10 no_own_files /srv/data
  mount_as 4.2 /mnt/x /srv/data/links
}
lazy() { umount -l /mnt/x; }
exchange() { umount -l /mnt/x && mount --bind /root/other /mnt/x; }
cover() { mount --bind /root/other /mnt/x; }
for instant in ${VANISH_INSTANTS:-0.4}; do
  vanish "vanishes at $instant s" lazy "$instant"
  vanish "is exchanged at $instant s" exchange "$instant"
done
vanish "is covered at once" cover 0

# the helper held still before it looks at the mount: exactly between the daemon's check and its own
frozen() {
  local pid
  pid=$(helpers)
  # shellcheck disable=SC2086
  kill -STOP $pid
  "$1"
  # shellcheck disable=SC2086
  kill -CONT $pid
}
frozen_lazy() { frozen lazy; }
frozen_exchange() { frozen exchange; }
vanish "vanishes while the helper is held" frozen_lazy 0
equal "and it says so" mount-changed "$(outcomes)"
vanish "is exchanged while the helper is held" frozen_exchange 0
equal "and it says so" mount-changed "$(outcomes)"
fast_network
equal "no file of ours on the local disk" "" "$(find / -xdev -name '.nfstuned-*' -print)"
finish
