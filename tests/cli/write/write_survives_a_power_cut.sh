#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The file system is shut down under it (ext4 and xfs, the log not written out): what was acknowledged with
# `--durability full` is there with its mode; with `data`, and in the middle of a storm of writes, the file is
# one whole version.
# label: system
. "$(dirname -- "$0")/../../lib/own_mounts.inc"
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: "${HF_TEST_CHILD:?}"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
for kind in ext4 xfs; do
  command -v "mkfs.$kind" >/dev/null || skip "mkfs.$kind is missing"
done

trap 'umount disk 2>/dev/null || :; remove_scratch' EXIT
mkdir disk
# Each version is some pages of its own number, and a last line.
version() { yes "$1" | head -n 3000 && echo "end of $1"; }
put() { version "$2" | write "disk/$1" --allow-unchecked --mode 640 --durability "$3" >/dev/null 2>"$stderr"; }
# whole NAME: the number of the version that it holds, if it is one.
whole() {
  number=$(head -n 1 "disk/$1")
  version "$number" | cmp -s - "disk/$1" || fail "$kind, cut $cut: $1 is torn: $(wc -c <"disk/$1") bytes, $number first"
  expect_mode "disk/$1" 640
  echo "$number"
}
cut_power() {
  "$HF_TEST_CHILD" shut-down-file-system disk
  [ -z "${1:-}" ] || wait "$1" || :
  umount disk
  mount -o loop image disk
}
storm() {
  i=1
  while put storm "$((cut * 1000 + i))" data && put full_storm "$((cut * 1000 + i))" full; do
    echo "$((cut * 1000 + i))" >>acknowledged
    i=$((i + 1))
  done
}
for kind in ext4 xfs; do
  truncate -s 400M image
  "mkfs.$kind" -q image >mkfs.log 2>&1 || fail "mkfs.$kind: $(cat mkfs.log)"
  mount -o loop image disk 2>/dev/null || skip 'loop devices are not available here'
  cut=0
  for name in full data storm full_storm in_place; do put "$name" 1 full || fail "$kind: exit code $?"; done
  for cut in 2 3 4; do
    put "new_$cut" "$cut" full || fail "$kind, cut $cut: exit code $?"
    put full "$cut" full || fail "$kind, cut $cut: exit code $?"
    version "$cut" >next
    write disk/in_place --in-place --from next || fail "$kind, cut $cut: exit code $?"
    put data "$cut" data || fail "$kind, cut $cut: exit code $?"
    cut_power
    for name in full "new_$cut" in_place; do
      [ "$(whole "$name")" -eq "$cut" ] || fail "$kind, cut $cut: $name was acknowledged, and is gone"
    done
    case $(whole data) in "$cut" | $((cut - 1)) | 1) ;; *) fail "$kind, cut $cut: an odd version of data" ;; esac

    : >acknowledged
    storm &
    writer=$!
    until [ "$(wc -l <acknowledged)" -ge "$cut" ]; do
      kill -0 "$writer" 2>/dev/null || fail "$kind: the writer gave up: $(cat "$stderr")"
    done
    # Only what was acknowledged before the cut counts: a real one leaves nobody to be told.
    last=$(tail -n 1 acknowledged)
    cut_power "$writer"
    whole storm >/dev/null
    [ "$(whole full_storm)" -ge "$last" ] || fail "$kind, cut $cut: $last was acknowledged, there is $(whole full_storm)"
    left=$(find disk -name '.hf-*' | wc -l)
    [ "$left" -le 2 ] || fail "$kind, cut $cut: $left files left behind"
    rm -f disk/.hf-*
  done
  umount disk
  rm image
done
