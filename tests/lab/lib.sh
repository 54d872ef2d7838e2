# shellcheck shell=bash
# Functions for scenarios. A scenario begins with
#
#   #!/bin/bash
#   # lab: smoke kernels=6.1,6.12 timeout=300 memory=1024
#   # shellcheck source=tests/lab/lib.sh
#   . "$LAB_LIB"
#
# and ends with `finish`. It runs as root in a machine of its own, so nothing has to be put back.
# In the machine: $LAB_KERNEL (6.1 or 6.12), $LAB_ACCEL (kvm or tcg), $LAB_PHASE (empty, or what reboot_into was given),
# files of `run --add` in /lab/add; what is put in /lab/out comes back with `run --out`.
#
# The client is the machine itself (192.0.2.1, 2001:db8::1), the server a pair of network and mount name spaces
# called "server" (192.0.2.2, 2001:db8::2). use_server makes further ones.
set -euo pipefail
# shellcheck source=tests/lab/guest/names.sh
. /lab/guest/names.sh

LAB_PASSED=0
LAB_FAILED=0
LAB_SKIPPED=0
LAB_FINISHED=
LAB_CLEANUPS=()
LAB_TMP=$(mktemp -d /run/lab/tmp.XXXXXX)

# ---------------------------------------------------------------- results

# pass NAME: note a success
pass() {
  LAB_PASSED=$((LAB_PASSED + 1))
  echo "ok - $1"
}

# fail NAME [MESSAGE]: note a failure and go on
fail() {
  LAB_FAILED=$((LAB_FAILED + 1))
  echo "FAILED - $1${2:+: $2}"
}

# check NAME COMMAND…: pass when the command succeeds, else fail and show what it said
check() {
  local name=$1
  shift
  if "$@" >"$LAB_TMP/check" 2>&1; then
    pass "$name"
  else
    fail "$name" "$* (status $?)"
    sed 's/^/  | /' "$LAB_TMP/check"
  fi
}

# check_not NAME COMMAND…: pass when the command fails
check_not() {
  local name=$1
  shift
  if "$@" >"$LAB_TMP/check" 2>&1; then
    fail "$name" "should have failed: $*"
    sed 's/^/  | /' "$LAB_TMP/check"
  else
    pass "$name"
  fi
}

# equal NAME EXPECTED ACTUAL: pass when both strings are the same
equal() {
  if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', got '$3'"; fi
}

# skip REASON: end the scenario as skipped
skip() {
  echo "skipped: $1"
  LAB_FINISHED=yes
  exit 77
}

# skip_check NAME REASON: note one check as skipped and go on
skip_check() {
  LAB_SKIPPED=$((LAB_SKIPPED + 1))
  echo "skip - $1: $2"
}

# note TEXT…: a line of information in the output
note() { echo "# $*"; }

# finish: print the counts and end the scenario
finish() {
  LAB_FINISHED=yes
  if [ "$LAB_SKIPPED" = 0 ]; then
    echo "$LAB_PASSED passed, $LAB_FAILED failed"
  else
    echo "$LAB_PASSED passed, $LAB_FAILED failed, $LAB_SKIPPED skipped"
  fi
  if [ "$LAB_FAILED" != 0 ]; then exit 1; fi
  if [ "$LAB_PASSED" = 0 ]; then exit 77; fi
  exit 0
}

# cleanup_fn COMMAND…: run it when the scenario ends, last one first
cleanup_fn() { LAB_CLEANUPS+=("$(printf '%q ' "$@")"); }

lab_at_exit() {
  local status=$? i
  trap - EXIT ERR
  set +e
  for ((i = ${#LAB_CLEANUPS[@]} - 1; i >= 0; i--)); do eval "${LAB_CLEANUPS[i]}"; done
  if [ -z "$LAB_FINISHED" ]; then
    if [ "$status" = 0 ]; then
      echo "FAILED - the scenario ended without finish"
      status=1
    fi
    echo "$LAB_PASSED passed, $((LAB_FAILED + 1)) failed (ended early)"
    [ "$status" != 77 ] || status=1
  fi
  exit "$status"
}
trap lab_at_exit EXIT
# lab_on_error COMMAND: an unchecked command failed: say which, and how the scenario came to it
lab_on_error() {
  local status=$? i
  if [ "$BASHPID" != "$$" ]; then return 0; fi # the failure of a substitution is judged by those who use it
  echo "FAILED - $1 (status $status)"
  for ((i = 1; i < ${#FUNCNAME[@]}; i++)); do echo "  | ${BASH_SOURCE[i]##*/}:${BASH_LINENO[i - 1]} in ${FUNCNAME[i]}"; done
}
trap 'lab_on_error "$BASH_COMMAND"' ERR
set -E

# ---------------------------------------------------------------- the server

# use_server [NAME]: the following functions act on this server ("server" is the first, with 192.0.2.2; others get addresses of their own); sets
# $server_ip, $client_ip, $server_ip6, $client_ip6
# shellcheck disable=SC2120 # arguments are optional
use_server() {
  local name=${1:-server} index=0
  if [ ! -e "/var/lib/lab/servers/$name/index" ]; then
    mkdir -p "/var/lib/lab/servers/$name"
    if [ "$name" != server ]; then index=$(cat /var/lib/lab/servers/*/index 2>/dev/null | sort -n | tail -n 1); index=$((${index:-0} + 1)); fi
    echo "$index" >"/var/lib/lab/servers/$name/index"
  fi
  server_names "$name"
}
use_server server

# server_space: make the server's name spaces and network when they are not there yet (the others call it)
server_space() { lab_unit start "lab-server@$server_name.service"; }

# in_server COMMAND…: run a command inside the server's name spaces
in_server() { in_named_server "$server_name" "$@"; }

# lab_server_config OPTION…: remember options of start_server in the server's configuration
lab_server_config() {
  local options='' given_options=
  while [ $# -gt 0 ]; do
    case $1 in
      --block-size) echo "block_size=$2" >>"$server_dir/config"; shift ;;
      --threads) echo "threads=$2" >>"$server_dir/config"; shift ;;
      --lease) echo "lease=$2" >>"$server_dir/config"; shift ;;
      --grace) echo "grace=$2" >>"$server_dir/config"; shift ;;
      --v4-only) options+=" --no-nfs-version 3"; given_options=yes ;;
      --v3-only) options+=" --no-nfs-version 4"; given_options=yes ;;
      --no-v4.[012]) options+=" --no-nfs-version ${1#--no-v}"; given_options=yes ;;
      --all-versions) given_options=yes ;;
      --nfsd-option) options+=" $2"; given_options=yes; shift ;;
      --mountd-option) printf 'mountd_options+=\\ %q\n' "$2" >>"$server_dir/config"; shift ;;
      *) echo "start_server: unknown option $1" >&2; return 2 ;;
    esac
    shift
  done
  if [ -n "$given_options" ]; then printf 'nfsd_options=%q\n' "$options" >>"$server_dir/config"; fi
}

# lab_unit VERB UNIT: systemctl, which tells why when it fails
lab_unit() {
  if ! systemctl "$@"; then
    journalctl --no-pager -o cat -n 30 -u "$2" -u "lab-server@$server_name.service"
    return 1
  fi
}

# start_server [--block-size N] [--threads N] [--lease S] [--grace S] [--v4-only|--v3-only] [--no-v4.0] [--no-v4.1] [--no-v4.2] [--nfsd-option X]
#   [--mountd-option X]: start it with defaults and these options (block size 1048576, 8 threads, lease and grace 10 s, the least the kernel takes)
# shellcheck disable=SC2120 # arguments are optional
start_server() {
  rm -f "$server_dir/config"
  lab_server_config "$@"
  lab_unit restart "lab-nfsd@$server_name.service"
}

# stop_server: stop rpcbind, mountd, statd and the kernel's threads; the address stays up, so that connections are refused
stop_server() { systemctl stop "lab-nfsd@$server_name.service"; }

# restart_server [OPTION…]: stop and start; options not given again stay (versions: --all-versions takes --no-… back)
# shellcheck disable=SC2120 # arguments are optional
restart_server() {
  lab_server_config "$@"
  lab_unit restart "lab-nfsd@$server_name.service"
}

# server_running: is it?
server_running() { systemctl -q is-active "lab-nfsd@$server_name.service"; }

# end_grace: end the NFSv4 grace period of a restarted server now; a server that is not ready for it ends it by itself, some seconds later
end_grace() { in_server sh -c 'echo Y >/proc/fs/nfsd/v4_end_grace' 2>/dev/null || note "the grace period goes on"; }

# export_dir DIR OPTIONS [CLIENTS]: export a directory (made when missing) of the server, again with other options if it is exported already
export_dir() {
  local dir=$1 options=$2 clients=${3:-*}
  server_space
  in_server mkdir -p "$dir"
  lab_forget_export "$dir"
  case $options in *subtree_check*) ;; *) options+=,no_subtree_check ;; esac # else exportfs warns every time
  printf '"%s" %s(%s)\n' "$dir" "$clients" "$options" >>"$server_dir/exports"
  if server_running; then in_server exportfs -ra; fi
}

# unexport DIR: export it no longer
unexport() {
  lab_forget_export "$1"
  if server_running; then in_server exportfs -ra; fi
}

# the file is bind-mounted into the server, so it keeps its inode
lab_forget_export() {
  touch "$server_dir/exports"
  awk -v dir="\"$1\" " 'index($0, dir) != 1' "$server_dir/exports" >"$LAB_TMP/exports"
  cat "$LAB_TMP/exports" >"$server_dir/exports"
}

# persist_server: this server, its exports and disks come back at every boot, before the NFS mounts of fstab
persist_server() {
  touch "$server_dir/persist"
  systemctl -q enable "lab-server@$server_name.service" "lab-nfsd@$server_name.service"
}

# server_address ADDRESS: one more IPv4 address (of 198.51.100.0/24) of the server, reachable by the client
server_address() {
  server_space
  in_server ip addr replace "$1/32" dev eth0
  ip route replace "$1/32" via "$server_ip"
}

# ---------------------------------------------------------------- the server's disks

# make_disk NAME SIZE_MB [--delay-ms W] [--read-delay-ms R] [--quota] [--mount-options O]: ext4 on its own slow disk at /srv/NAME of the server
make_disk() {
  local name=$1 size=$2 write_ms=0 read_ms=0 mkfs=() options=defaults
  shift 2
  while [ $# -gt 0 ]; do
    case $1 in
      --delay-ms) write_ms=$2; shift ;;
      --read-delay-ms) read_ms=$2; shift ;;
      --quota) mkfs=(-O quota -E "quotatype=usrquota:grpquota"); options=usrquota,grpquota ;;
      --mount-options) options=$2; shift ;;
      *) echo "make_disk: unknown option $1" >&2; return 2 ;;
    esac
    shift
  done
  server_space
  mkdir -p "$server_dir/disks"
  echo "$options" >"$server_dir/disks/$name.img.options"
  rm -f "$server_dir/disks/$name.img.delay"
  /lab/guest/disk make "$server_name" "$name" "$size" ${mkfs[@]+"${mkfs[@]}"}
  if [ "$write_ms$read_ms" != 00 ]; then set_disk_delay "$name" "$write_ms" "$read_ms"; fi
}

# set_disk_delay NAME WRITE_MS [READ_MS]: change a disk's delays while it is in use
set_disk_delay() { /lab/guest/disk delay "$server_name" "$1" "$2" "${3:-0}"; }

# fill_disk NAME [LEAVE_KB]: fill the disk up to LEAVE_KB (default 0)
fill_disk() {
  local free
  free=$(in_server df --output=avail -k "/srv/$1" | tail -n 1)
  free=$((free - ${2:-0}))
  if [ "$free" -gt 0 ]; then in_server fallocate -l "${free}K" "/srv/$1/.lab-fill" 2>/dev/null || true; fi
  if [ "${2:-0}" = 0 ]; then in_server sh -c "dd if=/dev/zero of=/srv/$1/.lab-fill2 bs=4k 2>/dev/null; true"; fi
}

# free_disk NAME: undo fill_disk (ext4 hands freed blocks out again after its journal's commit only)
free_disk() {
  in_server rm -f "/srv/$1/.lab-fill" "/srv/$1/.lab-fill2"
  in_server sync -f "/srv/$1"
}

# set_quota NAME USER KB: limit a user's blocks on a disk made with --quota (0: no limit)
set_quota() { in_server setquota -u "$2" "$3" "$3" 0 0 "/srv/$1"; }

# readonly_disk NAME: the server's file system becomes read-only
readonly_disk() { in_server mount -o remount,ro "/srv/$1"; }

# writable_disk NAME: and writable again
writable_disk() { in_server mount -o remount,rw "/srv/$1"; }

# ---------------------------------------------------------------- the network

# slow_network ROUND_TRIP_MS [LOSS_PERCENT] [RATE]: delay (half each way), loss (each way) and rate (such as 20mbit, each way)
slow_network() {
  local half netem
  half=$(awk -v ms="$1" 'BEGIN {printf "%d", ms * 500}')
  netem=(netem limit 20000 delay "${half}us")
  if [ "${2:-0}" != 0 ]; then netem+=(loss "${2%\%}%"); fi
  if [ -n "${3:-}" ]; then netem+=(rate "$3"); fi
  server_space
  tc qdisc replace dev "$server_link" root "${netem[@]}"
  in_server tc qdisc replace dev eth0 root "${netem[@]}"
}

# delay_large MS: requests of more than 64 KiB wait so long on their way to the server, others do not (until fast_network). Their first
# segment begins with the record's length.
delay_large() {
  local bit
  server_space
  tc qdisc replace dev "$server_link" root handle 1: prio bands 2 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
  tc qdisc replace dev "$server_link" parent 1:2 handle 2: netem limit 20000 delay "$1ms"
  for bit in 0x80010000 0x80020000 0x80040000 0x80080000 0x80100000; do
    tc filter add dev "$server_link" parent 1: protocol ip u32 match ip protocol 6 0xff match u32 "$bit" "$bit" at 52 \
      match u32 0x80000000 0xffe00000 at 52 flowid 1:2
  done
}

# fast_network: undo slow_network (and any other queueing discipline on the link)
fast_network() {
  tc qdisc delete dev "$server_link" root 2>/dev/null || true
  in_server tc qdisc delete dev eth0 root 2>/dev/null || true
}

# kill_server [ADDRESS]: the server (or one address of it) goes silent: every packet in both directions is dropped, nothing is refused;
# neighbour discovery still works, so that the client waits instead of getting "no route to host"
# shellcheck disable=SC2120 # arguments are optional
kill_server() {
  local family=ip
  case ${1:-} in *:*) family=ip6 ;; esac
  in_server nft -f - <<END
table netdev lab {
  chain dead_in { type filter hook ingress device "eth0" priority 0; policy accept; }
  chain dead_out { type filter hook egress device "eth0" priority 0; policy accept; }
}
$(if [ -n "${1:-}" ]; then
    echo "add rule netdev lab dead_in $family daddr $1 drop"
    echo "add rule netdev lab dead_out $family saddr $1 drop"
  else
    for chain in dead_in dead_out; do
      echo "add rule netdev lab $chain icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept"
      echo "add rule netdev lab $chain meta protocol { ip, ip6 } drop"
    done
  fi)
END
}

# revive_server: undo kill_server, for all addresses
revive_server() { in_server nft delete table netdev lab 2>/dev/null || true; }

# link_down: pull the cable at the server's end
link_down() { ip -n "$server_name" link set eth0 down; }

# link_up: and plug it in again
link_up() {
  ip -n "$server_name" link set eth0 up
  ip -n "$server_name" -6 addr replace "$server_ip6/64" dev eth0 nodad
}

# ---------------------------------------------------------------- the client

# mount_as VERSION TARGET EXPORT [OPTIONS]: mount EXPORT (a path of the server, or HOST:PATH) with vers=VERSION
mount_as() {
  local source=$3
  case $source in /*) source=$server_ip:$source ;; esac
  mkdir -p "$2"
  timeout --kill-after=5 "${LAB_MOUNT_TIMEOUT:-60}" mount -t nfs -o "vers=$1${4:+,$4}" "$source" "$2"
}

# add_fstab LINE: append it to /etc/fstab and make systemd read it
add_fstab() {
  echo "$1" >>/etc/fstab
  systemctl daemon-reload
}

# escaped PATH: print it as mountinfo and fstab spell it
escaped() { printf '%s\n' "$1" | sed 's/\\/\\134/g; s/ /\\040/g; s/\t/\\011/g'; }

# mounts_at TARGET: print how many mounts are stacked at a path (reads a table, never touches the path)
mounts_at() { LAB_TARGET=$(escaped "$1") awk '$5 == ENVIRON["LAB_TARGET"] {n++} END {print n + 0}' /proc/self/mountinfo; }

# mount_line TARGET: print the mountinfo line of the topmost mount at a path
mount_line() {
  LAB_TARGET=$(escaped "$1") awk '$5 == ENVIRON["LAB_TARGET"] {line[$1] = $0; below[$2] = 1} END {for (id in line) if (!(id in below)) print line[id]}' \
    /proc/self/mountinfo
}

# mount_id TARGET: print its mount id
mount_id() { mount_line "$1" | cut -d' ' -f1; }

# mount_device TARGET: print the major:minor of its superblock
mount_device() { mount_line "$1" | cut -d' ' -f3; }

# mount_options TARGET: print its effective options, of the mount and of the superblock, comma-separated
mount_options() { mount_line "$1" | sed 's/^\([^ ]* \)\{5\}\([^ ]*\) .* - [^ ]* [^ ]* \([^ ]*\)$/\2,\3/'; }

# mount_option TARGET KEY: print the value of an effective option (or KEY itself for one without value); fails when it is absent
mount_option() { mount_options "$1" | tr ',' '\n' | awk -v key="$2" '$0 == key {print; f = 1; exit} index($0, key "=") == 1 {print substr($0, length(key) + 2); f = 1; exit} END {exit !f}'; }

# no_test_files DIR: is none of ours left below a directory of the server? A probe that runs at this moment has one: wait_for it
no_test_files() { [ -z "$(in_server find "$1" -name '.nfstuned*')" ]; }

# assert_localio_off: the client must not bypass the network to a server on its own kernel
assert_localio_off() {
  local parameter=/sys/module/nfs/parameters/localio_enabled
  if [ ! -e "$parameter" ]; then return; fi
  echo N >"$parameter"
  [ "$(cat "$parameter")" = N ]
}

# ---------------------------------------------------------------- waiting

# now_ms: print the monotonic clock in milliseconds
now_ms() { awk '{printf "%d\n", $1 * 1000}' /proc/uptime; }

# wait_for [--timeout S] COMMAND…: repeat until it succeeds (default 30 s); fails after the time
wait_for() {
  local timeout=30 end
  if [ "$1" = --timeout ]; then timeout=$2; shift 2; fi
  end=$(($(now_ms) + timeout * 1000))
  until "$@" >/dev/null 2>&1; do
    if [ "$(now_ms)" -ge "$end" ]; then return 1; fi
    sleep 0.2
  done
}

# journal_cursor: print the journal's present end, for --since
journal_cursor() { journalctl --quiet --no-pager -n 1 -o cat --output-fields=_BOOT_ID --show-cursor | sed -n 's/^-- cursor: //p'; }

# journal_json [--since CURSOR] MATCH…: print the matching entries (after the cursor) as JSON lines
journal_json() {
  local since='' from=()
  # not --after-cursor: with matches it loses the first entry that matches (systemd 252)
  if [ "${1:-}" = --since ]; then since=$2 from=(--cursor "$2"); shift 2; fi
  journalctl --sync || true
  journalctl --quiet --no-pager --all -o json ${from[@]+"${from[@]}"} "$@" | lab_without_cursor "$since"
}

# drop the entry with this very cursor
lab_without_cursor() {
  if [ -z "$1" ]; then cat; else awk -v own="\"__CURSOR\":\"$1\"" 'index($0, own) == 0'; fi
}

# journal_events EVENT [RULE] [--since CURSOR]: print the project's journal entries of one event (and rule) as JSON lines
journal_events() {
  local matches=("NFSTUNED_EVENT=$1") since=()
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --since) since=(--since "$2"); shift ;;
      *) matches+=("NFSTUNED_RULE=$1") ;;
    esac
    shift
  done
  journal_json ${since[@]+"${since[@]}"} "${matches[@]}"
}

# count_events EVENT [RULE] [--since CURSOR]: print their number
count_events() { journal_events "$@" | wc -l; }

# wait_for_journal [--timeout S] [--since CURSOR] FIELD=VALUE…: wait for a matching entry and print it as a JSON line; fails after the time (30 s)
wait_for_journal() {
  local timeout=30 since=() matches=() end entry
  while [ $# -gt 0 ]; do
    case $1 in
      --timeout) timeout=$2; shift ;;
      --since) since=(--since "$2"); shift ;;
      *) matches+=("$1") ;;
    esac
    shift
  done
  end=$(($(now_ms) + timeout * 1000))
  while :; do
    entry=$(journal_json ${since[@]+"${since[@]}"} "${matches[@]}")
    if [ -n "$entry" ]; then
      printf '%s\n' "${entry%%$'\n'*}" # the first one
      return
    fi
    if [ "$(now_ms)" -ge "$end" ]; then
      echo "no journal entry with ${matches[*]} within $timeout s" >&2
      return 1
    fi
    sleep 0.3
  done
}

# ---------------------------------------------------------------- measuring

# save_times DIR [KIB] [BLOCK_BYTES]: save a file as an editor does; print milliseconds: total, open, longest write, close
save_times() {
  local file="$1/.lab-save.$BASHPID"
  /lab/guest/save "$file" "${2:-3072}" "${3:-8192}"
  rm -f "$file"
}

# editor_save_ms DIR [KIB]: print the milliseconds of create, 8 KiB writes and close of a file of that size (default 3072)
editor_save_ms() { save_times "$1" "${2:-3072}" 8192 | cut -d' ' -f1; }

# median NUMBER…: print the median (of standard input's numbers without arguments)
median() {
  if [ $# -gt 0 ]; then printf '%s\n' "$@"; else cat; fi | sort -g | awk '{v[NR] = $1} END {if (NR == 0) exit 1; print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'
}

# ratio A B: print A / B with three decimals
ratio() { awk -v a="$1" -v b="$2" 'BEGIN {if (b == 0) exit 1; printf "%.3f\n", a / b}'; }

# less A B: is A < B, as numbers with decimals?
less() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a + 0 < b + 0)}'; }

# repeat N COMMAND…: run it N times
repeat() {
  local i n=$1
  shift
  for ((i = 0; i < n; i++)); do "$@"; done
}

# ---------------------------------------------------------------- reboots

# next_phase NAME: what $LAB_PHASE will be after the next boot of any kind
next_phase() { printf '%s' "$1" | dd of=/dev/vdc bs=4096 conv=sync oflag=direct status=none; }

# lab_reboot HOW NAME: leave the script; the agent resets the machine
lab_reboot() {
  if [ -n "${2:-}" ]; then next_phase "$2"; fi
  echo "$1" >/run/lab/reboot
  trap - EXIT ERR
  echo "# reboot ($1)${2:+ into phase $2}"
  exit 0
}

# reboot_into PHASE: write the root disk back, reset the machine and run the script again with LAB_PHASE=PHASE. Counts of checks start again, so
# call it with no failure pending.
reboot_into() {
  if [ "$LAB_FAILED" != 0 ]; then finish; fi
  lab_reboot sync "$1"
}

# shutdown_into PHASE: the same through an orderly shutdown
shutdown_into() {
  if [ "$LAB_FAILED" != 0 ]; then finish; fi
  lab_reboot clean "$1"
}

# power_cut_into PHASE: the same, without writing anything back
power_cut_into() {
  if [ "$LAB_FAILED" != 0 ]; then finish; fi
  lab_reboot cut "$1"
}

# ---------------------------------------------------------------- servers that misbehave

# start_hostile BEHAVIOUR [PORT]: something that is no NFS server listens on the server's port 2049 (behaviours: see guest/hostile.py)
start_hostile() {
  local port=${2:-2049} unit="lab-hostile-$server_name-${2:-2049}"
  server_space
  if [ "$port" = 2049 ]; then stop_server; fi
  stop_hostile "$port"
  systemd-run --quiet --collect --unit "$unit" \
    nsenter --target "$(cat "$server_pid_file")" --net --mount --uts -- python3 /lab/guest/hostile.py "$1" "$port"
  wait_for --timeout 20 lab_listens "$port"
}

# stop_hostile [PORT]: and no longer
# shellcheck disable=SC2120 # arguments are optional
stop_hostile() { systemctl --quiet stop "lab-hostile-$server_name-${1:-2049}.service" 2>/dev/null || true; }

# does something listen on that port of the server?
lab_listens() { in_server ss -Hltn "sport = :$1" | grep -q .; }

# ---------------------------------------------------------------- the project

# require_project: skip the scenario when the project is not installed in the machine
require_project() {
  if ! command -v nfstuned >/dev/null; then skip "the project is not installed"; fi
}

# nfstuned_config [NAME]: standard input becomes the drop-in NAME (default lab) of the daemon's configuration
# shellcheck disable=SC2120 # arguments are optional
nfstuned_config() {
  mkdir -p /etc/nfstuned/conf.d
  cat >"/etc/nfstuned/conf.d/${1:-lab}.conf"
}

# update_catalog: make the project's message catalogue known to journalctl -x
update_catalog() { journalctl --update-catalog; }
