#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A loop that is asked to end does so, though something is always due: a signal that comes while an act is being started counts.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

items 1 2 3 4 5 6 7 8 9 10
printf '[loop]\nsource = "cat items"\nrun = "true"\nverify = "exit 69"\nverify_every = "10ms"\nevery = "50ms"\nconcurrency = 4\n' >fix.toml
for round in 1 2 3; do
  before=$("$HOLDFAST" journal count --type session.starting)
  timeout -s KILL 60 "$HOLDFAST" loop fix.toml -q >/dev/null 2>&1 &
  guard=$!
  until [ "$("$HOLDFAST" journal count --type session.starting)" -ge $((before + 30)) ]; do :; done
  kill -s TERM "$(cat "/proc/$guard/task/$guard/children")"
  code=0
  wait "$guard" || code=$?
  [ "$code" -eq 143 ] || fail "round $round: exit code $code"
done
