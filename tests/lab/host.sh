# shellcheck shell=bash
# shellcheck disable=SC2034 # the variables are for those that source this
# Host side of the lab: names, places and checks that run, prepare and check share.
# To be sourced; never runs anything by itself.

PATH=$PATH:/usr/sbin:/sbin # where mke2fs and chroot may be

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo_dir=$(cd "$lab_dir/../.." && pwd)
lab_cache=${LAB_CACHE:-$repo_dir/build/lab}
lab_logs=$lab_cache/logs

# say what and stop; status 2 is "the lab itself failed", never a scenario's result
die() {
  printf 'lab: %s\n' "$*" >&2
  exit 2
}

# the host's packages by the command that proves each of them present
host_needs() {
  cat <<'LIST'
qemu-system-x86_64 qemu-system-x86
mmdebstrap mmdebstrap
busybox busybox-static
mke2fs e2fsprogs
cpio cpio
tar tar
flock util-linux
setpriv util-linux
apt-get apt
dpkg-deb dpkg
xz xz-utils
zstd zstd
make make
cc gcc
LIST
}

# print the packages to install, one line, for the Makefile's setup target
host_packages() {
  { host_needs | cut -d' ' -f2; echo debian-archive-keyring; echo libc6-dev; } | sort -u | paste -sd' '
}

# stop with one message that names everything that is missing
require_host() {
  local command package missing=
  while read -r command package; do
    command -v "$command" >/dev/null || missing+=" $package"
  done < <(host_needs)
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || missing+=" debian-archive-keyring"
  [ -z "$missing" ] || die "missing packages:$missing (try: apt-get install$missing)"
  [ "$(id -u)" = 0 ] || die "needs root (device nodes and owners inside the guest's file system)"
  [ "$(uname -m)" = x86_64 ] || die "needs an x86-64 host"
}

