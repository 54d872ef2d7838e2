#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=3600 memory=1024
#
# kill-replace.sh at every system call that nfstuned-mount makes.
export calls=all most_of_each=1000
exec bash /lab/scenarios/kill-replace.sh
