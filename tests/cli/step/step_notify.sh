#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `notify`: the same failure seen fourteen times is one notice; what was held back is said in the next one.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

notify() { "$HOLDFAST" notify "$@"; }
send() { printf '%s\n' "$1" | notify pr-42 --json -- sh -c 'cat >>sent'; }
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
  expect_code 0 send 'merge says ok, and it is still open'
  [ "$i" -eq 1 ] || expect_json .decision suppressed
done
[ "$(wc -l <sent)" -eq 1 ] || fail "sent $(wc -l <sent) lines"
expect_code 0 "$HOLDFAST" step show --kind notify pr-42 --json
expect_json .held_back 13
expect_json .state sent
# The cool-down is over.
change "$(step_file notify pr-42)" '.sent[0].at.boot_ns = 0 | .sent[0].at.boot = "00112233445566778899aabbccddeeff" | .sent[0].at.wall = "2020-01-01T00:00:00.000Z"'
expect_code 0 send 'merge says ok, and it is still open'
expect_json .decision ran
grep -qxF '(seen 13 more times since 2020-01-01T00:00:00.000Z)' sent || fail "sent: $(cat sent)"
expect_code 0 "$HOLDFAST" step show --kind notify pr-42 --json
expect_json .held_back 0
# Another text is news, and the first one is held back all the same.
expect_code 0 send 'another'
expect_json .decision ran
expect_code 0 send 'merge says ok, and it is still open'
expect_json .decision suppressed

on_change() { printf '%s\n' "$1" | notify disk --on-change --json -- sh -c 'cat >/dev/null'; }
for text in a:ran a:suppressed b:ran a:ran a:suppressed; do
  expect_code 0 on_change "${text%:*}"
  expect_json .decision "${text#*:}"
done

expect_code 65 notify k -- touch never </dev/null
head -c 1048577 /dev/zero >large
expect_code 65 notify k -- touch never <large
head -c 1048576 /dev/zero >fits
cp fits same
expect_code 0 notify k -- cmp - same <fits
expect_code 64 notify k --on-change --cooldown 1h -- touch never </dev/null
[ ! -e never ] || fail 'it was sent'
[ -z "$(ls "$HOLDFAST_HOME"/once/*.text 2>/dev/null)" ] || fail 'texts are left behind'
