#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `notify --once-per-key`: texts that change every time are one notice within the cool-down.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
send() { printf '%s\n' "$1" | "$HOLDFAST" notify disk --once-per-key --json -- sh -c 'cat >>sent'; }
expect_code 0 send 'disk at 91 % at 10:00'
expect_json .decision ran
for time in 10:01 10:02; do
  expect_code 0 send "disk at 92 % at $time"
  expect_json .decision suppressed
done
[ "$(cat sent)" = 'disk at 91 % at 10:00' ] || fail "sent: $(cat sent)"
change "$(step_file notify disk)" '.sent[0].at.boot_ns = 0 | .sent[0].at.boot = "00112233445566778899aabbccddeeff" | .sent[0].at.wall = "2020-01-01T00:00:00.000Z"'
expect_code 0 send 'disk at 93 %'
expect_json .decision ran
grep -qxF '(seen 2 more times since 2020-01-01T00:00:00.000Z)' sent || fail "sent: $(cat sent)"
expect_code 64 "$HOLDFAST" notify disk --once-per-key --on-change -- true </dev/null
