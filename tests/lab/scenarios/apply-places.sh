#!/bin/bash
# lab: smoke kernels=6.12 timeout=900 memory=1024
#
# Where automatic mode changes mounts, by what they are and where they are, and where it leaves them alone and says why: for each
# name in $places a mount that could be faster. What is left alone is not touched in the time in which the others are changed
# and verified, and by hand it is what the reason says. apply-places-full.sh has all places.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
# shellcheck source=tests/lab/scenarios/common/changes.sh
. /lab/scenarios/common/changes.sh
places=${places:-odd-path half kubelet}

stale=sync,rsize=32768,wsize=32768
own=$stale,nosharecache                 # a superblock of its own
sizes=rsize=32768,wsize=32768           # what takes a new mount
declare -A target_of=() expected=() before=() ids_before=()
sections=()

# place NAME TARGET EXPECTED: "changed", or the refusal's name
place() {
  target_of[$1]=$2
  expected[$1]=$3
}

make_disk data 200 --delay-ms 5 # or the export might look async
make_disk inner 50
mkdir_on_server() { in_server mkdir -p "$@"; }
# insecure: the proxy on the loopback address uses no reserved port
export_dir /srv/data rw,sync,no_root_squash,insecure
export_dir /srv/data/one rw,sync,no_root_squash
export_dir /srv/data/two rw,sync,no_root_squash
export_dir /srv/data/squashed rw,sync,root_squash
in_server chown 1234:1234 /srv/data/squashed
in_server chmod 700 /srv/data/squashed
mkdir_on_server /srv/parent/child
in_server mount --bind /srv/inner /srv/parent/child
export_dir /srv/parent rw,sync,no_root_squash,fsid=77
export_dir /srv/parent/child rw,sync,no_root_squash
mkdir_on_server /srv/data/directory
start_server

make_place() {
  local long
  case $1 in
    odd-path) # a blank and a backslash, from fstab
      place odd-path '/mnt/a b\c' changed
      mkdir -p '/mnt/a b\c'
      add_fstab "$server_ip:/srv/data $(escaped '/mnt/a b\c') nfs vers=4.2,$own 0 0"
      mount '/mnt/a b\c'
      ;;
    long-path) # 200 characters
      long=/mnt/$(printf 'x%.0s' $(seq 100))/$(printf 'y%.0s' $(seq 94))
      [ ${#long} = 200 ]
      place long-path "$long" changed
      mount_as 4.2 "$long" /srv/data "$own"
      ;;
    squashed)
      place squashed /mnt/squashed changed
      mount_as 4.2 /mnt/squashed /srv/data/squashed "$own"
      ;;
    ipv6)
      place ipv6 /mnt/ipv6 changed
      mount_as 3 /mnt/ipv6 "[$server_ip6]:/srv/data" "$own,proto=tcp6"
      ;;
    stacked) # the one on top is changed, the covered one stays
      place stacked /mnt/stacked changed
      mount_as 4.2 /mnt/stacked /srv/data "$own,nosuid"
      covered_id=$(mount_id /mnt/stacked)
      covered_line=$(mount_line /mnt/stacked)
      mount_as 4.1 /mnt/stacked /srv/data "$own"
      ;;
    noac) # async would not hold on it: only the sizes are changed
      place noac /mnt/noac changed
      mount_as 4.2 /mnt/noac /srv/data "$own,noac"
      ;;
    submounts)
      place submounts /mnt/submounts submounts
      mount_as 4.2 /mnt/submounts /srv/data "$sizes,nosharecache"
      mkdir -p /mnt/submounts/below
      mount -t tmpfs none /mnt/submounts/below
      ;;
    half) # what can be changed in place is changed
      place half /mnt/half submounts
      mount_as 4.2 /mnt/half /srv/data "$own"
      mkdir -p /mnt/half/below
      mount -t tmpfs none /mnt/half/below
      ;;
    crossing) # what the kernel itself mounts where one export lies within another
      place crossing /mnt/crossing submounts
      place crossed /mnt/crossing/child owner
      mount_as 4.2 /mnt/crossing /srv/parent "$sizes,nosharecache"
      ls /mnt/crossing/child/ >/dev/null
      ;;
    bind)
      place bind /mnt/bind shared-superblock
      mount_as 4.2 /mnt/bind /srv/data "$sizes,nosharecache"
      mkdir -p /mnt/bind-of-it
      mount --bind /mnt/bind/directory /mnt/bind-of-it
      ;;
    two-exports) # of one file system
      place two-exports /mnt/one shared-superblock
      mount_as 4.2 /mnt/one /srv/data/one "$sizes"
      mount_as 4.2 /mnt/two /srv/data/two "$sizes"
      [ "$(mount_device /mnt/one)" = "$(mount_device /mnt/two)" ]
      ;;
    automount-line)
      place automount-line /mnt/automount autofs
      mkdir -p /mnt/automount
      add_fstab "$server_ip:/srv/data /mnt/automount nfs vers=4.2,$own,noauto,x-systemd.automount 0 0"
      systemctl start mnt-automount.automount
      ls /mnt/automount >/dev/null
      ;;
    autofs-map)
      place autofs-map /mnt/map/data autofs
      mkdir -p /etc/auto.master.d
      echo "/mnt/map /etc/auto.data --timeout=3600" >/etc/auto.master.d/data.autofs
      echo "data -fstype=nfs,vers=4.2,$own $server_ip:/srv/data" >/etc/auto.data
      systemctl start autofs
      ls /mnt/map/data >/dev/null
      ;;
    read-only)
      place read-only /mnt/read-only unverifiable
      mount_as 4.2 /mnt/read-only /srv/data "$own,ro"
      ;;
    kubelet)
      place kubelet '/var/lib/kubelet/pods/0b1e/volumes/kubernetes.io~nfs/data' owner
      mount_as 4.2 "${target_of[kubelet]}" /srv/data "$own"
      ;;
    loopback) # as with the proxies of cloud mount helpers
      place loopback /mnt/loopback owner
      python3 /lab/scenarios/common/proxy.py 127.0.0.1 2049 "$server_ip" 2049 >/dev/null 2>&1 &
      cleanup_fn kill "$!"
      wait_for bash -c 'exec 3<>/dev/tcp/127.0.0.1/2049'
      mount_as 4.2 /mnt/loopback 127.0.0.1:/srv/data "$own"
      ;;
    database)
      place database /srv/postgresql/data nothing # a question
      mount_as 4.2 /srv/postgresql/data /srv/data "$own"
      ;;
    hypervisor)
      place hypervisor /var/lib/libvirt/images nothing
      mount_as 4.2 /var/lib/libvirt/images /srv/data "$own"
      ;;
    mail-spool)
      place mail-spool /var/mail nothing
      mkdir -p /var/mail
      mount_as 4.2 /var/mail /srv/data "$own"
      ;;
    kept) # keep = sync: the sizes alone are changed
      place kept /mnt/kept changed
      mount_as 4.2 /mnt/kept /srv/data "$own"
      sections+=('[mount kept]' 'path = /mnt/kept' 'keep = sync')
      ;;
    all-kept)
      place all-kept /mnt/all-kept nothing
      mount_as 4.2 /mnt/all-kept /srv/data "$own"
      sections+=('[mount all-kept]' 'path = /mnt/all-kept' 'keep = sync rsize wsize')
      ;;
    *) echo "no place $1" >&2; return 2 ;;
  esac
}
for name in $places; do
  note "$name"
  make_place "$name"
done
assert_localio_off

# all_of TARGET: what the mount table has at that path, covered ones too, with ids, options and all
all_of() { LAB_TARGET=$(escaped "$1") awk '$5 == ENVIRON["LAB_TARGET"]' /proc/self/mountinfo; }
for name in "${!target_of[@]}"; do
  before[$name]=$(mount_options "${target_of[$name]}")
  all_of "${target_of[$name]}" >"$LAB_TMP/before.$name"
done

automatic_mode "${sections[@]}"
cursor=$(journal_cursor)
check "the service starts" sh -c 'systemctl start nfstuned || { journalctl --no-pager -o cat -u nfstuned; false; }'

# ---- what is changed
judge_changed() {
  local name=$1 target=${target_of[$1]} wanted='sync|[rw]size=.*|mountport=.*' after
  case $name in kept | noac) wanted='[rw]size=.*' ;; esac
  check "$name: applied" wait_for_journal --timeout 300 --since "$cursor" NFSTUNED_EVENT=applied "NFSTUNED_MOUNT=$target"
  check "$name: verified" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=verified "NFSTUNED_MOUNT=$target"
  after=$(mount_options "$target")
  equal "$name: the server's sizes" "1048576 1048576" "$(mount_option "$target" rsize) $(mount_option "$target" wsize)"
  equal "$name: nothing else changed" "" "$(changed_options "${before[$name]}" "$after" | tr ' ' '\n' | grep -v -x -E "$wanted" | paste -sd' ')"
  equal "$name: as many mounts as before" "$(wc -l <"$LAB_TMP/before.$name")" "$(mounts_at "$target")"
}
for name in "${!target_of[@]}"; do
  [ "${expected[$name]}" != changed ] || judge_changed "$name"
done

# ---- what is left alone
judge_left_alone() {
  local name=$1 target=${target_of[$1]} refusal=${expected[$1]}
  check "$name: status says $refusal" wait_for --timeout 60 status_is "$target" .refusal.name "$refusal"
  note "$name: $(status_of "$target" '"\(.state), \(.refusal.name): \(.refusal.words)"')"
  if [ "$(status_of "$target" .refusal.passes)" = false ]; then
    equal "$name: the journal says it once" 1 "$(events_of refused "$target" "$cursor")"
  fi
  equal "$name: no change" "0 0" "$(events_of applied "$target" "$cursor") $(events_of armed "$target" "$cursor")"
  equal "$name: untouched" "$(cat "$LAB_TMP/before.$name")" "$(all_of "$target")"
}
for name in "${!target_of[@]}"; do
  [ "${expected[$name]}" = changed ] || [ "$name" = half ] || judge_left_alone "$name"
done
is_place() { [[ " $places " = *" $1 "* ]]; }
if is_place half; then
  check "half: changed in place" wait_for_journal --timeout 300 --since "$cursor" NFSTUNED_EVENT=verified NFSTUNED_MOUNT=/mnt/half NFSTUNED_METHOD=live
  equal "half: sync alone" sync "$(changed_options "${before[half]}" "$(mount_options /mnt/half)")"
  check "half: and the sizes wait" wait_for status_is /mnt/half .refusal.name submounts
fi

# ---- words
has_words() { # NAME PLACE WORD: does the status of that place say it?
  status_of "${target_of[$2]}" .refusal.words >"$LAB_TMP/words"
  check "$1" grep -F -q -- "$3" "$LAB_TMP/words"
}
if is_place bind; then has_words "bind: names the other mount" bind /mnt/bind-of-it; fi
if is_place two-exports; then has_words "two-exports: names the other mount" two-exports /mnt/two; fi
if is_place stacked; then
  equal "stacked: the covered one is as it was" "$covered_line" "$(grep "^$covered_id " /proc/self/mountinfo)"
fi
if is_place kept; then check "kept: sync stays" mount_option /mnt/kept sync; fi
if is_place noac; then
  equal "noac: with sync, as before" "noac sync" "$(mount_option /mnt/noac noac) $(mount_option /mnt/noac sync)"
  check_not "noac: nothing claims that async would hold" sh -c 'nfstunectl advice --json | jq -e ".mounts[] | select(.mount.target == \"/mnt/noac\") | .recommendations[] | select(.method == \"live\")"'
fi

# ---- by hand
by_hand() { # NAME END [ARGUMENT…]
  local name=$1 end=$2
  shift 2
  nfstunectl apply "${target_of[$name]}" --json "$@" >"$LAB_TMP/outcome" 2>&1 || true
  equal "$name: by hand ${*:+($*) }" "$end" "$(jq -r .end "$LAB_TMP/outcome")"
  note "$(jq -r .words "$LAB_TMP/outcome" | head -n 3)"
}
for name in submounts crossing automount-line autofs-map; do
  if is_place "$name"; then
    by_hand "$name" refused
    equal "$name: still untouched" "$(cat "$LAB_TMP/before.$name")" "$(all_of "${target_of[$name]}")"
  fi
done
for name in kubelet read-only loopback; do
  if is_place "$name"; then
    by_hand "$name" verified
    equal "$name: the server's sizes" "1048576 1048576" "$(mount_option "${target_of[$name]}" rsize) $(mount_option "${target_of[$name]}" wsize)"
  fi
done

journal_story "$cursor"
note "$(nfstunectl status)"
equal "no record is left" "" "$(find /var/lib/nfstuned -name 'intent-*')"
check "no test file is left" wait_for --timeout 60 no_test_files /srv
equal "nothing was taken back" 0 "$(count_events rolled-back --since "$cursor")"
finish
