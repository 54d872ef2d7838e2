# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# bash completion for nfstunectl(1)

# Mount points of NFS, out of the kernel's table alone: a dead server is not asked. Blanks and the like are
# octal there, and written for the shell here.
_nfstunectl_mounts() {
        local current=$1 line target quoted
        COMPREPLY=()
        while IFS= read -r line; do
                case $line in *' - nfs '* | *' - nfs4 '*) ;; *) continue ;; esac
                read -r _ _ _ _ target _ <<<"$line"
                printf -v target %b "${target//\\/\\0}"
                printf -v quoted %q "$target"
                if [[ $target == "$current"* || $quoted == "$current"* ]]; then COMPREPLY+=("$quoted"); fi
        done </proc/self/mountinfo
}

_nfstunectl() {
        local current=${COMP_WORDS[COMP_CWORD]}
        local previous=${COMP_WORDS[COMP_CWORD - 1]}
        local command=${COMP_WORDS[1]}
        local names

        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
                mapfile -t COMPREPLY < <(compgen -W 'status advice probe apply rollback resume check explain --version
                        --help' -- "$current")
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
        status)
                case $previous in
                --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$current") ;;
                *) mapfile -t COMPREPLY < <(compgen -W '--json --color --help' -- "$current") ;;
                esac
                ;;
        advice | probe)
                case $previous:$current in
                --color:*) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$current") ;;
                *:-*) mapfile -t COMPREPLY < <(compgen -W '--json --color --help' -- "$current") ;;
                *) _nfstunectl_mounts "$current" ;;
                esac
                ;;
        apply)
                case $previous:$current in
                --busy:*) mapfile -t COMPREPLY < <(compgen -W 'wait detach refuse' -- "$current") ;;
                --rule:*)
                        names=$(nfstunectl explain 2>/dev/null | sed -nE 's/^  ([^ ]+) .*/\1/p')
                        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
                        ;;
                *:-*)
                        mapfile -t COMPREPLY < <(compgen -W '--rule --dry-run --persist --busy --json --help' -- "$current")
                        ;;
                *) _nfstunectl_mounts "$current" ;;
                esac
                ;;
        rollback)
                case $current in
                -*) mapfile -t COMPREPLY < <(compgen -W '--persist --json --help' -- "$current") ;;
                *) _nfstunectl_mounts "$current" ;;
                esac
                ;;
        resume) mapfile -t COMPREPLY < <(compgen -W '--json --help' -- "$current") ;;
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
