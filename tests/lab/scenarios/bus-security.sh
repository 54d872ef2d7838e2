#!/bin/bash
# lab: full kernels=6.12 timeout=900 memory=1024
#
# Who may do what: an ordinary user may look and is told why he may do no more; forged and malformed calls of the bus and of
# nfstuned-mount change nothing, and no failed units pile up. Without D-Bus the service works, says so once, and is back on the bus when
# that returns. nfstunectl says what to do when the service is stopped.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
# shellcheck source=tests/lab/scenarios/common/helper.sh
. /lab/scenarios/common/helper.sh

export_dir /srv/data rw,sync,no_root_squash
start_server
mount_as 4.2 /mnt/data /srv/data sync,rsize=32768,wsize=32768
assert_localio_off
mkdir -p /mnt/tmpfs
mount -t tmpfs none /mnt/tmpfs
ln -s /mnt/data /mnt/link
printf '[daemon]\nspread = 0\npassive_interval = 2s\n[mount data]\npath = /mnt/data\nexport = sync\n' | nfstuned_config # a fast disk does not show it
cursor=$(journal_cursor)
check "the socket starts" systemctl start nfstuned-mount.socket
check "the service starts" systemctl start nfstuned
check "advice comes" wait_advice /mnt/data sync-client

# everything: print what none of this may change
everything() {
  grep -E ' /mnt/' /proc/self/mountinfo
  sha256sum /etc/fstab /etc/passwd
  find /etc/systemd/system /etc/nfsmount.conf* /var/lib/nfstuned /etc/fstab* -type f -not -name lock -newer "$LAB_TMP/mark" 2>/dev/null
  records
}
touch "$LAB_TMP/mark"
before=$(everything)
unchanged() { equal "$1: nothing has changed" "$before" "$(everything)"; }
as_user() { runuser -u nobody -- "$@"; }

# ---- an ordinary user
nfstunectl() { as_user /usr/bin/env nfstunectl "$@"; }
for command in "apply /mnt/data" "rollback /mnt/data" resume "probe /mnt/data"; do
  # shellcheck disable=SC2086 # words
  ctl $command
  equal "a user's $command: status" 1 "$status"
  check "a user's $command: told why" said '(only|for) root'
done
unchanged "a user's commands"
ctl status
equal "a user's status" 0 "$status"
check "a user's status shows the mount" said /mnt/data
ctl advice /mnt/data
equal "a user's advice" 0 "$status"
unset -f nfstunectl

# called METHOD SIGNATURE ARGUMENT…: one call as root; what busctl said is in $LAB_TMP/called
called() { busctl --timeout=60 call org.nfstuned1 /org/nfstuned1 org.nfstuned1.Manager "$@" >"$LAB_TMP/called" 2>&1; }
check_not "a user cannot call around nfstunectl" as_user busctl call org.nfstuned1 /org/nfstuned1 org.nfstuned1.Manager Apply sassbb /mnt/data 0 wait false false
check_not "a user cannot take the name" as_user busctl call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus RequestName su org.nfstuned1 0
check_not "root without CAP_SYS_ADMIN may not" setpriv --inh-caps -sys_admin --bounding-set -sys_admin -- \
  busctl call org.nfstuned1 /org/nfstuned1 org.nfstuned1.Manager Apply sassbb /mnt/data 0 wait false false
unchanged "calls without privilege"

# ---- malformed calls by root
malformed() {
  local name=$1 words=$2
  shift 2
  check_not "$name: refused" called "$@"
  check "$name: says why" grep -q -i -E "$words" "$LAB_TMP/called"
}
long=/mnt/$(head -c 5000 /dev/zero | tr '\0' x)
malformed "wrong types" . Apply ss /mnt/data wait
malformed "a type too much" . Apply sassbbs /mnt/data 0 wait false false more
malformed "a number for a path" . Rollback ub 7 false
malformed "no such method" "unknown method" Format s /mnt/data
malformed "an unknown rule" "rule" Apply sassbb /mnt/data 1 sync-clients wait false false
malformed "an unknown busy mode" "wait, refuse or detach" Apply sassbb /mnt/data 0 kill false false
malformed "an unknown form" "json, text" Advice ss /mnt/data xml
for path in /mnt/tmpfs / /mnt/nothing /mnt/link /mnt/../mnt/data //mnt/data /mnt/data/. "/mnt/data "; do
  malformed "apply '$path'" "not the mount point" Apply sassbb "$path" 0 wait false false
done
for path in '' mnt/data ./data /mnt/data/ "$long"; do
  malformed "apply '${path:0:20}'" "mount point|path" Apply sassbb "$path" 0 wait false false
done
malformed "rollback of a link" "not the mount point" Rollback sb /mnt/link true
malformed "probe of a link" "not the mount point" Probe ss /mnt/link json
ctl apply /mnt/link
equal "nfstunectl apply of a link: status" 2 "$status"
ctl apply data
equal "nfstunectl apply of a relative path: status" 2 "$status"
ctl apply /mnt/data --rule no-such-rule
equal "nfstunectl apply of an unknown rule: status" 2 "$status"
unchanged "malformed calls"
check "the service is well" status_is /mnt/data .state advice

# ---- nfstuned-mount's socket
cat >"$LAB_TMP/send" <<'PYTHON'
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.settimeout(100)
s.connect("/run/nfstuned/mount.sock")
try:
    s.sendall(sys.stdin.buffer.read())
    s.shutdown(socket.SHUT_WR)
    answer = b""
    while chunk := s.recv(65536):
        answer += chunk
except OSError as e:   # the other end has heard enough
    answer = b'{"error": "%s"}' % str(e).encode()
print(answer.decode())
PYTHON
send() { python3 "$LAB_TMP/send"; }
chmod 755 "$LAB_TMP" "$LAB_TMP/send"
refused_user() { (as_user python3 -c "$(cat "$LAB_TMP/send")" </dev/null 2>&1 || true) | grep -q PermissionError; }
check "a user cannot connect" refused_user

now=$(asked /mnt/data)
good=$(without "$now" sync rsize wsize)
keys=sync,rsize,wsize
# forged NAME OP JQ [WORDS]: a good request but for JQ is not done
forged() {
  local answer
  answer=$(request "$2" /mnt/data "$keys" "$now" "$good" "$3" | send)
  equal "$1: not done" yes "$(jq -r 'if .error or .end == "refused" then "yes" else .end end' <<<"$answer" 2>&1)"
  if [ -n "${4:-}" ]; then check "$1: says why" grep -q -i -E "$4" <<<"$answer"; fi
  note "$(jq -c ".error // .words" <<<"$answer")"
}
forged "an unknown option" replace '.staging.to += ",sesame=open" | .staging.keys += ",sesame"' sesame
forged "an option in disguise" replace '.staging.to += ",nosharecache" | .staging.keys += ",sharecache"'
forged "another mount id" replace '.mount.mount_id += 1' 'not the one'
forged "another mount id, live" live '.mount.mount_id += 1 | .staging.keys = "sync"'
forged "another device" replace '.mount.device.minor += 1'
forged "a symbolic link" replace '.mount.target = "/mnt/link"'
forged "two dots" replace '.mount.target = "/mnt/../mnt/data"'
forged "a relative path" replace '.mount.target = "mnt/data"'
forged "a line break in the path" replace '.mount.target = "/mnt/data\n/mnt"'
forged "a mount of another type" replace ".mount = $(facts /mnt/tmpfs)"
forged "a mount of another type, called NFS" replace ".mount = ($(facts /mnt/tmpfs) | .fstype = \"nfs4\")"
forged "another server" replace '.staging.to |= sub("addr=[0-9.]*"; "addr=192.0.2.9")'
forged "another source" replace '.mount.source = "192.0.2.2:/srv"'
forged "an unknown key" replace '.sesame = "open"'
forged "an unknown operation" replace '.op = "format"'
forged "a number for the operation" replace '.op = 7'
forged "a list for the mount" replace '.mount = []'
forged "a mount id that is no number" replace '.mount.mount_id = "7; reboot"'
forged "a negative mount id" replace '.mount.mount_id = -1'
forged "passwd as fstab" persist '.edits = [{kind: "fstab", file: "/etc/passwd", line: 1, old_text: "root:x:0:0:root:/root:/bin/bash", new_text: "root::0:0:root:/root:/bin/bash"}]'
forged "another line of fstab" persist '.edits = [{kind: "fstab", file: "/etc/fstab", line: 1, old_text: "# UNCONFIGURED FSTAB FOR BASE SYSTEM", new_text: "none /etc tmpfs rw 0 0"}]'
forged "a unit with commands" persist '.edits = [{kind: "unit", file: "/etc/systemd/system/mnt-data.mount.d/50-nfstuned.conf", line: 0, new_text: "[Service]\nExecStart=/bin/sh"}]'
forged "a drop-in elsewhere" persist '.edits = [{kind: "unit", file: "/etc/systemd/system/../../cron.d/x.mount.d/50-nfstuned.conf", line: 0, new_text: "[Mount]\nOptions=x"}]'
# of what was never begun
equal "nothing to reveal" nothing "$(request reveal /mnt/data "" "" "" | send | jq -r '.end // .error')"
equal "nothing to recover" nothing "$(request recover /mnt/data "" "" "" | send | jq -r '.end // .error')"
unchanged "forged requests"

garbage() {
  local name=$1
  check "garbage ($name): an error" sh -c "$2 | python3 $LAB_TMP/send | jq -e '.error or .end == \"refused\"'"
}
garbage "nothing" "true"
garbage "bytes" "head -c 4096 /dev/urandom"
garbage "an empty object" "echo {}"
garbage "half a request" "echo '{\"op\": \"replace\", \"mount\": {'"
garbage "a NUL" "printf '{\"op\\0\": 1}'"
garbage "deep" "head -c 200000 /dev/zero | tr '\\0' '['"
garbage "huge" "head -c 4000000 /dev/zero | tr '\\0' ' '"
unchanged "garbage"

# hung up in the middle, thirty times
for _ in $(seq 30); do
  python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("/run/nfstuned/mount.sock"); s.sendall(b"{\"op\":"); s.close()'
done
no_instances() { [ -z "$(systemctl list-units --all --plain --no-legend 'nfstuned-mount@*')" ]; }
check "no instance stays behind" wait_for --timeout 60 no_instances
equal "no unit failed" "" "$(systemctl list-units --failed --plain --no-legend 'nfstuned*')"
equal "the socket listens" active "$(systemctl is-active nfstuned-mount.socket)"
unchanged "hung up"

# ---- without D-Bus
told() { journal_json --since "$cursor" -t nfstuned | jq -r .MESSAGE | grep -c "$1" || true; }
told_is() { [ "$(told "$1")" = "$2" ]; }
cursor=$(journal_cursor)
systemctl stop dbus.socket dbus.service 2>/dev/null || true
check "the bus is gone" wait_for --timeout 30 sh -c '! busctl --timeout=5 list'
check "that is told" wait_for --timeout 60 told_is "D-Bus cannot be used" 1
ctl status
equal "nfstunectl: status" 2 "$status"
check "nfstunectl: says what is missing" said "D-Bus system bus cannot be reached"
automatic_mode '[mount data]' 'path = /mnt/data' 'export = sync'
check "reload without a bus" systemctl reload nfstuned
check "changed without a bus" wait_event applied /mnt/data "$cursor"
check "verified without a bus" wait_event verified /mnt/data "$cursor"
sleep 15
equal "it was told once" 1 "$(told "D-Bus cannot be used")"
systemctl start dbus.socket dbus.service
check "the bus is back" wait_for --timeout 60 told_is "D-Bus is there" 1
check "status works again" wait_for --timeout 60 status_is /mnt/data .state ok
systemctl restart dbus.service
check "and after a restart of the bus" wait_for --timeout 60 status_is /mnt/data .state ok
equal "no news of that" 1 "$(told "D-Bus cannot be used")"

# ---- the service stopped
systemctl stop nfstuned
for command in status "advice /mnt/data" "apply /mnt/data" resume; do
  # shellcheck disable=SC2086 # words
  ctl $command
  equal "stopped: $command: status" 2 "$status"
  check "stopped: $command: what to do" said "not running: sudo systemctl start nfstuned"
done
equal "a question does not start it" inactive "$(systemctl is-active nfstuned || true)"
finish
