#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=900 memory=1024
#
# dead-server.sh with all three outages.
export DEAD_SERVER_OUTAGES="before after during"
exec bash /lab/scenarios/dead-server.sh
