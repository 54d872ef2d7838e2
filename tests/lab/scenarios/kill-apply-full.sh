#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1800 memory=1024
#
# kill-apply.sh at every step.
export helper_steps="staging recorded moving moved done" daemon_steps="staging recorded moving moved done"
exec bash /lab/scenarios/kill-apply.sh
