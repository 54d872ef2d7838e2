#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=400 memory=1024
#
# limit-below-size.sh with every version.
export LIMIT_VERSIONS="3 4.0 4.1 4.2"
exec bash /lab/scenarios/limit-below-size.sh
