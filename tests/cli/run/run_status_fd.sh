#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --status-fd tells whose code it is: the command's own 75 and 124 are not holdfast's.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 75 "$HOLDFAST" run --status-fd 3 -- "$HF_TEST_CHILD" exit 75 3>status
[ "$(cat status)" = '{"by":"command","code":75,"signal":null,"reason":"exited"}' ] || fail "$(cat status)"
expect_code 124 "$HOLDFAST" run --status-fd 3 -- "$HF_TEST_CHILD" exit 124 3>status
grep -q '"by":"command"' status || fail "$(cat status)"
expect_code 124 "$HOLDFAST" run --status-fd 3 -q --timeout 0.1 -- "$HF_TEST_CHILD" sleep-forever 3>status
[ "$(cat status)" = '{"by":"holdfast","code":124,"signal":15,"reason":"deadline"}' ] || fail "$(cat status)"
expect_code 143 "$HOLDFAST" run --status-fd 3 -- "$HF_TEST_CHILD" die 15 3>status
[ "$(cat status)" = '{"by":"command","code":143,"signal":15,"reason":"signal"}' ] || fail "$(cat status)"
expect_code 127 "$HOLDFAST" run --status-fd 3 -- ./absent 3>status
[ "$(cat status)" = '{"by":"holdfast","code":127,"signal":null,"reason":"not-found"}' ] || fail "$(cat status)"
