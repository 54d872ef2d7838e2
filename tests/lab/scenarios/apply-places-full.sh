#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1500 memory=1024
#
# All places of apply-places.sh.
# shellcheck disable=SC2034 # read by the scenario
places="odd-path long-path squashed ipv6 stacked noac submounts half crossing bind two-exports automount-line autofs-map read-only kubelet
  loopback database hypervisor mail-spool kept all-kept"
# shellcheck source=tests/lab/scenarios/apply-places.sh
. /lab/scenarios/apply-places.sh
