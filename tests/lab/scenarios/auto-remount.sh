#!/bin/bash
# lab: smoke kernels=6.12 timeout=900 memory=1024
#
# The first story in auto-remount mode, turned on by `systemctl reload`: the mount gets async and the server's sizes, everything
# else of its options and flags stays as it was, the journal tells of it, and the save is at least ten times as fast and no worse
# than on an expert's mount. Here with saves of 1 MiB; auto-remount-full.sh has 3 MiB, all versions and the exact bounds.
# shellcheck source=tests/lab/lib.sh
. "$LAB_LIB"
require_project
versions=${versions:-4.2}
exact=${exact:-}
save_kib=${save_kib:-1024}
pairs=11 lowest=2 # sign test: of 11 pairs the second smallest and largest bound the median's 95 % interval (98.8 %)
if [ -n "$exact" ]; then pairs=41 lowest=14; fi # of 41 the fourteenth ones (97.2 %)

make_disk data 200 --delay-ms 5
export_dir /srv/data rw,sync,no_root_squash,no_subtree_check
start_server
slow_network 0.5
target_of() { echo "/mnt/v${1//./}"; }
for version in $versions; do
  mkdir -p "$(target_of "$version")"
  add_fstab "$server_ip:/srv/data  $(target_of "$version")  nfs  vers=$version,sync,rsize=32768,wsize=32768,nosuid,bg,intr  0 0  # since 2009"
  check "v$version mounts" mount "$(target_of "$version")"
done
assert_localio_off

printf '[daemon]\nspread = 0\npassive_interval = 2s\n' | nfstuned_config
update_catalog
cursor=$(journal_cursor)
check "the service starts" systemctl start nfstuned
for version in $versions; do
  check "v$version: recommended" wait_for_journal --timeout 60 --since "$cursor" NFSTUNED_EVENT=recommendation NFSTUNED_RULE=sync-client "NFSTUNED_MOUNT=$(target_of "$version")"
  # a mount that is written to is not probed, and one that was not probed is not changed
  check "v$version: probed" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=probe "NFSTUNED_MOUNT=$(target_of "$version")"
done
equal "nothing is changed yet" 0 "$(count_events applied --since "$cursor")"
note "$(nfstunectl status)"

declare -A before_options=() before_ms=()
for version in $versions; do
  before_options[$version]=$(mount_options "$(target_of "$version")")
  before_ms[$version]=$(editor_save_ms "$(target_of "$version")" "$save_kib")
done
printf '[daemon]\nmode = auto-remount\nspread = 0\npassive_interval = 2s\n' | nfstuned_config
check "reload" systemctl reload nfstuned

# pair_ratio A B: print the ratio of two directories' saves, medians of five of each in turn: one alone is at the mercy of
# whatever else the host does
pair_ratio() {
  local i
  : >"$LAB_TMP/a"
  : >"$LAB_TMP/b"
  for i in 1 2 3 4 5; do
    if [ $((i % 2)) = 1 ]; then editor_save_ms "$1" "$save_kib" >>"$LAB_TMP/a"; fi
    editor_save_ms "$2" "$save_kib" >>"$LAB_TMP/b"
    if [ $((i % 2)) = 0 ]; then editor_save_ms "$1" "$save_kib" >>"$LAB_TMP/a"; fi
  done
  ratio "$(median <"$LAB_TMP/a")" "$(median <"$LAB_TMP/b")"
}

# an expert's mount of the same export, for comparison
compare_with_expert() {
  local target=$1 version=$2
  mkdir -p /mnt/expert
  mount -t nfs -o "vers=$version,nosuid,nosharecache" "$server_ip:/srv/data" /mnt/expert
  for i in $(seq "$pairs"); do pair_ratio "$target" /mnt/expert; done | sort -n >"$LAB_TMP/ratios"
  umount /mnt/expert
  low=$(sed -n "${lowest}p" "$LAB_TMP/ratios")
  high=$(sed -n "$((pairs + 1 - lowest))p" "$LAB_TMP/ratios")
  note "v$version: against an expert's mount: median ratio $(median <"$LAB_TMP/ratios"), 95 % interval $low to $high"
  if [ -n "$exact" ]; then
    check "v$version: lower bound <= 1.10" sh -c "awk -v r=$low 'BEGIN {exit !(r <= 1.10)}'"
    check "v$version: upper bound <= 1.3" sh -c "awk -v r=$high 'BEGIN {exit !(r <= 1.3)}'"
  else # make check shares its machine with another one: only a mount of another kind is seen
    check "v$version: lower bound <= 2" sh -c "awk -v r=$low 'BEGIN {exit !(r <= 2)}'"
  fi
}

changed() {
  local version=$1 target
  target=$(target_of "$version")
  check "v$version: applied" wait_for_journal --timeout 240 --since "$cursor" NFSTUNED_EVENT=applied "NFSTUNED_MOUNT=$target"
  check "v$version: verified" wait_for_journal --timeout 120 --since "$cursor" NFSTUNED_EVENT=verified "NFSTUNED_MOUNT=$target"
}

judge() {
  local version=$1 target after
  target=$(target_of "$version")
  check_not "v$version: sync is gone" mount_option "$target" sync
  equal "v$version: the server's sizes" "1048576 1048576" "$(mount_option "$target" rsize) $(mount_option "$target" wsize)"
  note "before: ${before_options[$version]}"
  note "after:  $(mount_options "$target")"
  equal "v$version: every other option and flag is as before" "" "$(comm -3 <(tr ',' '\n' <<<"${before_options[$version]}" | sort) \
    <(mount_options "$target" | tr ',' '\n' | sort) | tr -d '\t' | grep -v -x -E 'sync|[rw]size=.*|mountport=.*' | paste -sd' ')"
  equal "v$version: one mount there" 1 "$(mounts_at "$target")"
  after=$(repeat 5 editor_save_ms "$target" "$save_kib" | median)
  note "v$version: editor save of $save_kib KiB: ${before_ms[$version]} ms before, $after ms after"
  check "v$version: at least ten times as fast ($(ratio "${before_ms[$version]}" "$after"))" less 10 "$(ratio "${before_ms[$version]}" "$after")"
  compare_with_expert "$target" "$version"
}
for version in $versions; do changed "$version"; done
note "$(nfstunectl status)"

# nothing but the two mounts is compared: the service would go on to probe both
check "the service stops" systemctl stop nfstuned
if [ "$LAB_FAILED" = 0 ]; then # else half an hour of slow saves would tell nothing new
  for version in $versions; do judge "$version"; done
fi

journal_json --since "$cursor" -t nfstuned | jq -r 'select((.PRIORITY | tonumber) < 7) | "\(.NFSTUNED_EVENT // "-"): \(.MESSAGE)"' | sed 's/^/# /'
equal "no record is left" "" "$(find /var/lib/nfstuned -name 'intent-*')"
check "no test file is left" wait_for --timeout 60 no_test_files /srv/data
equal "nothing was taken back or refused" "0 0" "$(count_events rolled-back --since "$cursor") $(count_events refused --since "$cursor")"
finish
