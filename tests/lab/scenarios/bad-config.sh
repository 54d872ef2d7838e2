#!/bin/bash
# lab: smoke kernels=6.12 timeout=300 memory=1024
#
# A wrong configuration: refused at start, the old one kept at reload; file and line are named both times.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project

cursor=$(journal_cursor)
printf '[daemon]\ninterval = 1h\nintervall = 2h\n' | nfstuned_config wrong
check_not "check-config fails" nfstuned --check-config
check "check-config names file and line" sh -c "nfstuned --check-config 2>&1 | grep -q '^/etc/nfstuned/conf.d/wrong.conf:3:'"
check_not "the service does not start" systemctl start nfstuned
check "the event names file and line" wait_for_journal --since "$cursor" NFSTUNED_EVENT=config-error CONFIG_FILE=/etc/nfstuned/conf.d/wrong.conf CONFIG_LINE=3
check_not "it is not running" systemctl is-active nfstuned
check "and did not exit with 0" test "$(systemctl show -p ExecMainStatus --value nfstuned)" != 0

rm /etc/nfstuned/conf.d/wrong.conf
systemctl reset-failed nfstuned
check "check-config is content" nfstuned --check-config
check "the service starts" systemctl start nfstuned
pid=$(systemctl show -p MainPID --value nfstuned)

cursor=$(journal_cursor)
printf '[probe]\nbytes = lots\n' | nfstuned_config wrong
check_not "reload: systemctl tells" systemctl reload nfstuned
check "reload: the event names file and line" wait_for_journal --since "$cursor" NFSTUNED_EVENT=config-error CONFIG_FILE=/etc/nfstuned/conf.d/wrong.conf CONFIG_LINE=2
check "reload: the service goes on" systemctl is-active nfstuned
equal "reload: the same process" "$pid" "$(systemctl show -p MainPID --value nfstuned)"

printf '[daemon]\npassive_interval = 1s\n' | nfstuned_config wrong
check "a good reload succeeds" systemctl reload nfstuned
check "and it goes on" systemctl is-active nfstuned
# many reloads at once must not pile anything up
for _ in 1 2 3 4 5 6 7 8; do systemctl kill -s HUP nfstuned; done
check "still active" systemctl is-active nfstuned
equal "still the same process" "$pid" "$(systemctl show -p MainPID --value nfstuned)"
check "it stops" systemctl stop nfstuned
finish
