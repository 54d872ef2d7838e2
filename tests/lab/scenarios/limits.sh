#!/bin/bash
# lab: full kernels=6.12,6.1 timeout=900 memory=1024
#
# What [apply] allows: no rule, none outside of the window, none that gains less than min_gain, one change a day, also after a restart.
# Each is a reason in status and no failure; by hand none of it holds.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh

export_dir /srv/data rw,sync,no_root_squash
start_server
mount_as 4.2 /mnt/data /srv/data sync,rsize=32768,wsize=32768,noatime
assert_localio_off
before=$(mount_options /mnt/data)
same=$(mount_line /mnt/data)

# part_of_day FROM TO: print a part of the day, in hours from now
part_of_day() { echo "$(date -d "$1 hours" +%H:%M)-$(date -d "$2 hours" +%H:%M)"; }
shut="window = $(part_of_day +2 +3) $(part_of_day +4 +5)"
open="window = $(part_of_day +2 +3) $(part_of_day -1 +1)"

sync_export=('[mount data]' 'path = /mnt/data' 'export = sync') # which a fast disk does not show
# limited NAME REFUSAL WORDS LINE…: with these lines of [apply] nothing is changed, and status says why
limited() {
  local name=$1 refusal=$2 words=$3
  shift 3
  automatic_mode "${sync_export[@]}" '[apply]' "$@"
  systemctl reload nfstuned
  check "$name: status says $refusal" wait_for --timeout 120 status_is /mnt/data .refusal.name "$refusal"
  note "$(status_of /mnt/data .refusal.words)"
  check "$name: in words" grep -q -E "$words" <<<"$(status_of /mnt/data .refusal.words)"
  sleep 10
  equal "$name: the mount stays as it is" "$same" "$(mount_line /mnt/data)"
}

printf '%s\n' '[daemon]' 'spread = 0' 'passive_interval = 2s' "${sync_export[@]}" | nfstuned_config
cursor=$(journal_cursor)
systemctl start nfstuned
check "advice" wait_advice /mnt/data sync-client
check "probed" wait_event probe /mnt/data "$cursor"
limited "no rule" rules 'rules' 'rules ='
limited "outside of the window" window 'window' "$shut"
limited "a small gain" gain 'less than min_gain' 'rules = sync-client' "$open" 'min_gain = 100%'
equal "nothing was tried" "0 0" "$(count_events applied --since "$cursor") $(count_events rolled-back --since "$cursor")"

# ---- allowed, but not all of it
automatic_mode "${sync_export[@]}" '[apply]' 'rules = sync-client' "$open"
systemctl reload nfstuned
check "sync alone: applied" wait_event applied /mnt/data "$cursor"
check "sync alone: verified" wait_event verified /mnt/data "$cursor"
equal "sync alone: sync has gone" sync "$(changed_options "$before" "$(mount_options /mnt/data)")"

# ---- and no more today
same=$(mount_line /mnt/data)
limited "the rest" daily 'once a day' "$open"
systemctl restart nfstuned
limited "the rest, after a restart" daily 'once a day' "$open"
check "resume" nfstunectl resume
limited "the rest, after resume" daily 'once a day' "$open"
equal "one change" 1 "$(count_events applied --since "$cursor")"
equal "no failure" "0 false" "$(count_events rolled-back --since "$cursor") $(nfstunectl status --json | jq .stopped)"

# ---- who types has decided
limited "shut again" rules 'rules' 'rules =' "$shut" 'min_gain = 100%'
ctl apply /mnt/data
equal "by hand: applied" 0 "$status"
equal "by hand: the server's sizes" "1048576 1048576" "$(mount_option /mnt/data rsize) $(mount_option /mnt/data wsize)"
journal_story "$cursor"
finish
