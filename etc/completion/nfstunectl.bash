# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# bash completion for nfstunectl(1)

_nfstunectl() {
        local current=${COMP_WORDS[COMP_CWORD]}
        local previous=${COMP_WORDS[COMP_CWORD - 1]}
        local command=${COMP_WORDS[1]}
        local names

        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
                mapfile -t COMPREPLY < <(compgen -W 'check explain --version --help' -- "$current")
                return
        fi
        case $command in
        check)
                case $previous in
                --mounts | --mountinfo | --mountstats | --fstab | --nfsmount-conf | --exports | --observation | --config)
                        compopt -o filenames 2>/dev/null
                        mapfile -t COMPREPLY < <(compgen -f -- "$current")
                        ;;
                --servers)
                        compopt -o filenames 2>/dev/null
                        mapfile -t COMPREPLY < <(compgen -d -- "$current")
                        ;;
                --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$current") ;;
                *)
                        mapfile -t COMPREPLY < <(compgen -W '--mounts --mountinfo --mountstats --fstab --nfsmount-conf
                                --exports --observation --json --color --config --servers --help' -- "$current")
                        ;;
                esac
                ;;
        explain)
                # Names stand two columns in, their words further on.
                names=$({
                        nfstunectl explain
                        nfstunectl explain options
                } 2>/dev/null | sed -nE 's/^  ([^ ]+) .*/\1/p')
                mapfile -t COMPREPLY < <(compgen -W "$names options --json --help" -- "$current")
                ;;
        esac
}
complete -F _nfstunectl nfstunectl
