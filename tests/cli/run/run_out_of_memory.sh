#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A supervisor that runs out of memory still ends the whole tree, and says that it cannot tell more: 69.
# label: system
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v prlimit >/dev/null || skip 'no prlimit to take the memory away'

mkfifo life
timeout 60 cat life >/dev/null &
witness=$!
: >out
# Many processes: their table is what the supervisor has no room for.
# shellcheck disable=SC2016  # the inner shell expands it
"$HOLDFAST" run --timeout 40 --grace 0.2 -- \
  sh -c 'i=0; while [ $i -lt 600 ]; do sleep 60 & i=$((i + 1)); done; echo "ready $PPID"; wait' \
  >out 2>"$stderr" 9>life &
front=$!
wait_for_line out ready
prlimit --pid "$(sed -n 's/^ready //p' out)" --as=4096 --data=4096
# It has to end them now, and not at the deadline: nobody waits for that.
kill -s TERM "$front"
code=0
wait "$front" || code=$?
wait "$witness" || fail 'a process of the tree is still alive'
[ "$code" -eq 69 ] || fail "exit code $code, not 69"
expect_stderr_contains 'ran out of memory and ended it with KILL'
