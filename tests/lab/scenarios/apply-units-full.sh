#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1200 memory=1024
#
# apply-units.sh with twenty replaces of each unit in a row.
# shellcheck disable=SC2034 # read by the scenario
repeats=20
# shellcheck source=tests/lab/scenarios/apply-units.sh
. /lab/scenarios/apply-units.sh
