#!/bin/bash
# lab: smoke kernels=6.12 timeout=300 memory=1024
#
# nfstunectl check: the same judgement from files as on the host itself, without root, daemon or a question to the
# server; and with the server's own exports file the export is proved.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project

make_disk data 100
export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
export_dir /srv/fast rw,async,no_root_squash,no_subtree_check
start_server
mkdir -p /mnt/old "/mnt/with blank" /mnt/fast /mnt/fine
add_fstab "$server_ip:/srv/data /mnt/old nfs rsize=32768,wsize=32768,sync,vers=3,hard,intr 0 0  # copied in 2009"
add_fstab "$server_ip:/srv/data /mnt/with\\040blank nfs vers=4.2,noac 0 0"
add_fstab "$server_ip:/srv/fast /mnt/fast nfs vers=4.2,sync,nosharecache 0 0"
add_fstab "$server_ip:/srv/data /mnt/fine nfs defaults 0 0"
check "all mount" mount -a -t nfs,nfs4
assert_localio_off

rules_of() { jq -r --arg t "$1" '[.mounts[] | select(.target == $t) | .recommendations[].rule] | sort | join(" ")' "$2"; }
as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

calls() { in_server grep '^rpc ' /proc/net/rpc/nfsd | cut -d' ' -f2; }
before=$(calls)
rc=0
as_nobody nfstunectl check --json >"$LAB_TMP/host.json" || rc=$?
equal "an ordinary user: there is something to say" 1 "$rc"
equal "the server was not asked anything" "$before" "$(calls)"
equal "old: every cause is named" "obsolete-option stale-io-size sync-client" "$(rules_of /mnt/old "$LAB_TMP/host.json")"
equal "noac is one finding" "noac" "$(rules_of "/mnt/with blank" "$LAB_TMP/host.json")"
equal "noac is a question" true "$(jq -r '.mounts[] | select(.target == "/mnt/with blank") | .recommendations[0].question' "$LAB_TMP/host.json")"
equal "fine: nothing" "" "$(rules_of /mnt/fine "$LAB_TMP/host.json")"
line=$(jq -r '.mounts[] | select(.target == "/mnt/old") | .plan.replacement' "$LAB_TMP/host.json")
equal "the new line keeps columns, options and comment" \
  "$server_ip:/srv/data /mnt/old nfs vers=3,hard 0 0  # copied in 2009" "$line"

# the same host as files
cat /proc/self/mountinfo >"$LAB_TMP/mountinfo"
cat /proc/self/mountstats >"$LAB_TMP/mountstats"
cp /etc/fstab "$LAB_TMP/fstab"
in_server cat /etc/exports >"$LAB_TMP/exports" 2>/dev/null || in_server exportfs -v >"$LAB_TMP/exports"
chmod 755 "$LAB_TMP"
chmod 644 "$LAB_TMP"/*
from_files() {
  as_nobody nfstunectl check --json --mountinfo "$LAB_TMP/mountinfo" \
    --mountstats "$LAB_TMP/mountstats" --fstab "$LAB_TMP/fstab" "$@"
}
rc=0
from_files >"$LAB_TMP/files.json" || rc=$?
equal "files: there is something to say" 1 "$rc"
for target in /mnt/old "/mnt/with blank" /mnt/fast /mnt/fine; do
  equal "files: $target is judged as on the host" "$(rules_of "$target" "$LAB_TMP/host.json")" "$(rules_of "$target" "$LAB_TMP/files.json")"
done

rc=0
in_server exportfs -v >"$LAB_TMP/exportfs"
from_files --exports "$LAB_TMP/exportfs" >"$LAB_TMP/exports.json" || rc=$?
equal "exports: there is something to say" 1 "$rc"
async_export() { jq -r --arg t "$1" '[.mounts[] | select(.target == $t) | .recommendations[] | select(.rule == "async-export") | .confidence] | join(" ")' "$LAB_TMP/exports.json"; }
equal "the async export is proved" configured "$(async_export /mnt/fast)"
equal "the sync export is quiet" "" "$(async_export /mnt/old)"
check "async is found in the exports themselves" jq -e '[.findings[] | select(.rule == "async-export")] | length > 0' "$LAB_TMP/exports.json"

# what it advises is right: the new lines, mounted
sed -i "s|^.*/mnt/old nfs .*|$line|" /etc/fstab
check "unmount" umount /mnt/old
check "the advised line mounts" mount /mnt/old
rc=0
as_nobody nfstunectl check --json >"$LAB_TMP/after.json" || rc=$?
equal "afterwards the other mounts still have something" 1 "$rc"
equal "afterwards there is nothing to say of it" "" "$(rules_of /mnt/old "$LAB_TMP/after.json")"

rc=0
nfstunectl check --mountinfo /nonexistent --json >"$LAB_TMP/out" 2>"$LAB_TMP/err" || rc=$?
equal "an unusable file: exit 2" 2 "$rc"
equal "and no JSON" 0 "$(stat -c %s "$LAB_TMP/out")"
equal "and one line" 1 "$(wc -l <"$LAB_TMP/err")"
finish
