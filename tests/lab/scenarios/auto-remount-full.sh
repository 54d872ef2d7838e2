#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1800 memory=1024
#
# auto-remount.sh for every version of NFS.
export versions="3 4.0 4.1 4.2"
exec bash /lab/scenarios/auto-remount.sh
