#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A decision that was acknowledged is there after the file system was shut down under it (ext4 and xfs, the
# log not written out), whatever else was lost; the journal accounts for that and goes on.
# label: system
. "$(dirname -- "$0")/../../lib/own_mounts.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: "${HF_TEST_CHILD:?}"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
for kind in ext4 xfs; do
  command -v "mkfs.$kind" >/dev/null || skip "mkfs.$kind is missing"
done

trap 'umount disk 2>/dev/null || :; remove_scratch' EXIT
mkdir disk

append() { "$HOLDFAST" --home disk/home journal append --type x.cut --class "$1" --data "{\"i\":$2}"; }

for kind in ext4 xfs; do
  truncate -s 400M image
  "mkfs.$kind" -q image >mkfs.log 2>&1 || fail "mkfs.$kind: $(cat mkfs.log)"
  mount -o loop image disk 2>/dev/null || skip 'loop devices are not available here'
  : >acknowledged
  # Seven cuts, each after another number of decisions and events, some of them in the middle of work.
  for cut in 1 2 3 4 5 6 7; do
    i=0
    while [ "$i" -lt "$cut" ]; do
      append decision "$((cut * 100 + i))" >/dev/null && echo "$((cut * 100 + i))" >>acknowledged
      append event "$((cut * 100 + i + 50))" >/dev/null
      i=$((i + 1))
    done
    (
      i=60
      while append decision "$((cut * 100 + i))" >/dev/null 2>&1; do
        echo "$((cut * 100 + i))" >>acknowledged
        i=$((i + 1))
      done
    ) &
    writer=$!
    until grep -q "^${cut}6[2-9]" acknowledged; do
      kill -0 "$writer" 2>/dev/null || fail "$kind: the writer gave up after $cut cuts"
    done
    append event "$((cut * 100 + 99))" >/dev/null
    # Only what was acknowledged before the cut counts: a real one leaves nobody to be told, while this one
    # lets a sync that is under way end well (seen on ext4: data written back, its size not).
    cat acknowledged >before
    "$HF_TEST_CHILD" shut-down-file-system disk
    wait "$writer" || :
    mv before acknowledged
    umount disk
    mount -o loop image disk
  done
  expect_code 0 append decision 9999
  expect_code 0 "$HOLDFAST" --home disk/home journal verify
  "$HOLDFAST" --home disk/home journal query --type x.cut --json | jq .data.i | sort >present
  sort acknowledged | while read -r number; do
    grep -qx "$number" present || echo "$number"
  done >missing
  [ ! -s missing ] || fail "$kind: acknowledged decisions are gone: $(tr '\n' ' ' <missing)"
  [ "$(wc -l <acknowledged)" -ge 30 ] || fail "$kind: too little was acknowledged to prove anything"
  umount disk
  rm image
done
