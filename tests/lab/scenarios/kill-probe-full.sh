#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1200 memory=1024
#
# kill-probe.sh at many instants.
export KILL_HELPER_INSTANTS="0 0.2 0.5 0.9 1.4 2 2.7 3.5 4.4"
export KILL_DAEMON_INSTANTS="0 0.3 0.7 1.2 1.8 2.5 3.3 4.2"
exec bash /lab/scenarios/kill-probe.sh
