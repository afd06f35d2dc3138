#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Process 1, whoever is above the caller, and a tree with the caller in it are refused with 77.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

expect_code 77 "$HOLDFAST" kill "$("$HOLDFAST" identify self)" --json
expect_json .outcome refused
expect_json .evidence ancestor
expect_code 77 "$HOLDFAST" kill "$("$HOLDFAST" identify self)" --tree --signal CONT
if "$HOLDFAST" identify 1 >first 2>/dev/null; then
  expect_code 77 "$HOLDFAST" kill @first --signal CONT --json
  expect_json .evidence process-1
fi
if [ -e /proc/2/stat ] && grep -q '(kthreadd)' /proc/2/stat && "$HOLDFAST" identify 2 >kernel 2>/dev/null; then
  expect_code 77 "$HOLDFAST" kill @kernel --signal CONT --json
  expect_json .evidence kernel-thread
fi
# By the run id: the caller runs below an orphan that carries it, so it may be of the tree.
# An id of its own: whoever else carried it would be ended, too.
HOLDFAST_RUN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export HOLDFAST_RUN HOLDFAST
start sleep-forever
"$HOLDFAST" identify "$pid" >id
mkfifo orphaned answer
setsid sh -c '(read -r _ <orphaned; "$HOLDFAST" kill @id --tree --json >said; echo "$?" >answer) &'
echo >orphaned
read -r code <answer
[ "$code" -eq 77 ] || fail "from an orphan: $code, not 77"
cp said "$stdout"
expect_json .evidence caller-in-tree
expect_lives "$pid"
# A brother of the leader carries the id too, but its parent lives: it is not of the tree.
expect_code 69 "$HOLDFAST" kill @id --tree --json
expect_json .ended 1
unset HOLDFAST_RUN
expect_dead "$pid"
wait "$pid" || :
