#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A KILL to the whole process group takes the front end and the command; the shim still ends the rest.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo life
timeout 30 cat life >/dev/null &
witness=$!
: >out
setsid "$HOLDFAST" run --grace 0.2 -- "$HF_TEST_CHILD" stay daemon ignore-term >out 2>"$stderr" 9>life &
front=$!
wait_for_line out ready
kill -s KILL -- "-$front"
wait "$front" && fail 'the front end survived KILL'
wait "$witness" || fail 'a process of the tree is still alive'
