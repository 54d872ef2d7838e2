#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1200 memory=1024
#
# probe-faults.sh with every version and more instants.
export FAULT_VERSIONS="3 4.0 4.1 4.2"
export VANISH_INSTANTS="0 0.1 0.2 0.3 0.4 0.6 0.8 1 1.3 1.7 2.2"
exec bash /lab/scenarios/probe-faults.sh
