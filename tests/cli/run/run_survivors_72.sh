#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What cannot be killed is named, and the code is 72 instead of an all-clear.
# label: system
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

[ "$(id -u)" -eq 0 ] || skip 'needs root to make a process that its starter may not signal'
as_nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
chmod 711 "$scratch" "$scratch/work"
cp "$HF_TEST_CHILD" rooted
chmod 4755 rooted
cp "$HOLDFAST" holdfast
$as_nobody ./holdfast --version >/dev/null || skip 'cannot run as another user here'
code=0
$as_nobody ./rooted become-root exit 7 2>/dev/null || code=$?
[ "$code" -eq 7 ] || skip 'set-user-id programs do not work here'

# Each waits its full patience (ten seconds) for what does not die, so the two wait together.
# -q silences notes, not this.
# shellcheck disable=SC2086  # words
$as_nobody ./holdfast -q run --timeout 2 --grace 0.1 -- ./rooted become-root sleep-forever >/dev/null 2>quiet &
quiet=$!
# shellcheck disable=SC2086
expect_code 72 $as_nobody ./holdfast run --json --timeout 2 --grace 0.1 -- ./rooted become-root sleep-forever
survivor=$(json_field '.survivors[0].pid')
kill -s KILL "$survivor" || fail 'the named survivor is not alive'
expect_json '.survivors[0].name' rooted
expect_json .state timed_out
expect_json .survivors_total 1
expect_json .error.cause survivors

code=0
wait "$quiet" || code=$?
[ "$code" -eq 72 ] || fail "-q: exit code $code, not 72: $(cat quiet)"
survivor=$(sed -n 's/.*still alive after KILL: rooted (pid \([0-9]*\)).*/\1/p' quiet)
kill -s KILL "$survivor" || fail "no living survivor was named: $(cat quiet)"
