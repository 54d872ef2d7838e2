#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=900 memory=1024
#
# kill-replace.sh with the mount, which is private, over another one: before Linux 6.5 the other one shows where the old mount was taken away and the
# new one is not there yet.
# shellcheck disable=SC2034 # read by the scenario
stacked=yes
private=yes
calls=rename,renameat,umount2,move_mount,mount_setattr
least_points=5
# shellcheck source=tests/lab/scenarios/kill-replace.sh
. /lab/scenarios/kill-replace.sh
