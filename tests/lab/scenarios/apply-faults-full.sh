#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1800 memory=1024
#
# apply-faults.sh, and the server dies before anything is staged, while it is staged, and when the change is done.
export faults="sec gone full-disk garble cut dead-before dead-staging dead-moved dead-after"
exec bash /lab/scenarios/apply-faults.sh
