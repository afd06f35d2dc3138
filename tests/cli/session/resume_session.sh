#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `resume` runs the recorded order again, in its directory and under its name, once the last run is proven over.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 66 "$HOLDFAST" resume nobody
mkdir there
expect_code 3 "$HOLDFAST" run --name a --chdir there --env WORD=hello --timeout 1m -- \
  sh -c 'echo "$WORD" >>said; pwd; exit 3'
cd /
expect_code 3 "$HOLDFAST" resume a
expect_stdout_is "$scratch/work/there"
expect_record a .number 2
expect_record a .order.timeout_ms 60000
expect_code 0 "$HOLDFAST" show a --run 1 --json
[ "$(wc -l <"$scratch/work/there/said")" -eq 2 ] || fail 'it did not run twice'
expect_code 0 "$HOLDFAST" resume a --detach
expect_stdout_is a
expect_code 3 "$HOLDFAST" wait a
expect_record a .number 3

"$HOLDFAST" run --detach --name live -- sleep 600
expect_code 75 "$HOLDFAST" resume live
expect_code 0 "$HOLDFAST" stop live
orphan left -- sleep 600
expect_code 69 "$HOLDFAST" resume left
"$HOLDFAST" stop left >/dev/null 2>&1 || "$HOLDFAST" stop left --assume-gone --reason test
expect_code 0 "$HOLDFAST" resume left --detach
expect_record left .state running
expect_code 0 "$HOLDFAST" stop left
