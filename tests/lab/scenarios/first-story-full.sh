#!/bin/bash
# lab: full kernels=6.1,6.12 timeout=1200 memory=1024
#
# The first story with saves of 3 MiB timed on all three versions.
# shellcheck disable=SC2034 # read by the scenario
versions="3 4.0 4.2" measured="3 4.0 4.2" save_kib=3072
# shellcheck source=tests/lab/scenarios/first-story.sh
. /lab/scenarios/first-story.sh
