# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# bash completion for nfstuned(8)

_nfstuned() {
        local current=${COMP_WORDS[COMP_CWORD]}
        local previous=${COMP_WORDS[COMP_CWORD - 1]}
        local target fstype

        COMPREPLY=()
        if [[ $previous == --config ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$current")
                return
        fi
        if [[ $current == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W '--once --json --observation --passive --foreground --config
                        --check-config --version --help' -- "$current")
                return
        fi
        # Mount points, out of the table: a look at the path itself could hang.
        while read -r _ target fstype _; do
                if [[ $fstype == nfs || $fstype == nfs4 ]]; then
                        printf -v target %b "${target//\\0/\\00}"
                        [[ $target == "$current"* ]] && COMPREPLY+=("$(printf %q "$target")")
                fi
        done </proc/self/mounts
}
complete -F _nfstuned nfstuned
