#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1200 memory=1024
#
# The first story with the saves of all three versions timed.
# shellcheck disable=SC2034 # read by the scenario
measured="3 4.0 4.2"
# shellcheck source=tests/lab/scenarios/first-story.sh
. /lab/scenarios/first-story.sh
