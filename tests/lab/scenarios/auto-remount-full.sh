#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1800 memory=1024
#
# auto-remount.sh for every version of NFS, with the exact bounds for the comparison with an expert's mount.
export versions="3 4.0 4.1 4.2"
export save_kib=3072
export exact=yes
exec bash /lab/scenarios/auto-remount.sh
