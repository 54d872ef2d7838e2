#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=600 memory=1024
# The lab tests itself: a server that comes back at boot, fstab's mounts on it, and three ways to restart the machine.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"

case $LAB_PHASE in
  '')
    start_server
    make_disk data 64 --delay-ms 1
    export_dir /srv/data rw,sync,no_root_squash
    persist_server
    mkdir -p /mnt/data
    add_fstab "$server_ip:/srv/data /mnt/data nfs vers=4.2,sync,rsize=32768,wsize=32768 0 0"
    check_not "not mounted yet" mount_option /mnt/data rsize
    reboot_into mounted
    ;;
  mounted)
    equal "mounted from fstab at boot" 32768 "$(mount_option /mnt/data rsize)"
    check "and usable" touch /mnt/data/after-boot
    equal "all units are well" running "$(systemctl is-system-running)"
    echo unsafe >/root/not-synced
    power_cut_into cut
    ;;
  cut)
    equal "mounted after a power cut" 32768 "$(mount_option /mnt/data rsize)"
    check_not "what was not written back is lost" test -s /root/not-synced
    check "what was is there" test -e /mnt/data/after-boot
    shutdown_into down
    ;;
  down)
    equal "mounted after an orderly shutdown" 32768 "$(mount_option /mnt/data rsize)"
    ;;
esac
finish
