#!/bin/bash
# lab: smoke kernels=6.12 timeout=400 memory=1024
#
# Something that is no NFS server answers on the port of a mount's server: each time it costs the deadline, and the
# server's answer is "none" or "not-nfs", never "ok".
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
# shellcheck source=tests/lab/scenarios/common/faults.sh
. /lab/scenarios/common/faults.sh
require_project

# behaviour and the answers that are right for it
behaviours="
silent none
slow none
wrong-xid none|not-nfs
zero-fragments none|not-nfs
huge-record none|not-nfs
random none|not-nfs
denied none|not-nfs
mismatch none|not-nfs
close none|not-nfs
rst none|not-nfs
no-accept none
"
export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
mount_as 3 /mnt/v3 /srv/data
assert_localio_off

# print what the helper found out about the server of /mnt/v3
server_answer() { nfstuned --once --passive --json /mnt/v3 2>/dev/null | jq -r '.mounts[0].server.answer'; }

equal "a real server" ok "$(server_answer)"
while read -r behaviour right; do
  [ -n "$behaviour" ] || continue
  start_hostile "$behaviour"
  elapsed_ms nfstuned --once --passive --json /mnt/v3 >"$LAB_TMP/once.json" 2>"$LAB_TMP/once.err"
  # 3 s for all RPC together; the rest is two programs starting on a slow machine
  check "$behaviour costs the deadline and no more ($took_ms ms)" [ "$took_ms" -lt 8000 ]
  answer=$(jq -r '.mounts[0].server.answer' "$LAB_TMP/once.json")
  case "|$right|" in
    *"|$answer|"*) pass "$behaviour is $answer" ;;
    *) fail "$behaviour is $right" "got '$answer'" ;;
  esac
  check "$behaviour: no limit is believed" jq -e '.mounts[0].server.limit_source == "unknown"' "$LAB_TMP/once.json"
done <<<"$behaviours"

stop_hostile
restart_server
equal "the real server again" ok "$(server_answer)"
finish
