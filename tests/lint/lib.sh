# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Functions for the scripts of this directory. Sourced after `set -eu`; the
# working directory is the root of the project then.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
lint_name=$(basename "$0")
lint_bad=0

# Something is wrong; go on and count it.
complain() {
        printf '%s: %s\n' "$lint_name" "$*" >&2
        lint_bad=$((lint_bad + 1))
}

# Exit 0 with the reason when a tool is missing. CI has them all: LINT_STRICT=1
# makes it an error there.
require() {
        command -v "$1" >/dev/null && return
        echo "SKIP $lint_name: $1 is not installed"
        exit "${LINT_STRICT:-0}"
}

finish() {
        if [ "$lint_bad" -gt 0 ]; then
                echo "FAIL $lint_name: $lint_bad" >&2
                exit 1
        fi
        echo "ok $lint_name"
}
