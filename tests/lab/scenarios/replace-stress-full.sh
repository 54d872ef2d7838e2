#!/bin/bash
# lab: full kernels=6.12 timeout=2400 memory=1024
#
# replace-stress.sh with 100 replaces and 1,000 idle tests.
export replaces=100 idle_tests=1000
exec bash /lab/scenarios/replace-stress.sh
