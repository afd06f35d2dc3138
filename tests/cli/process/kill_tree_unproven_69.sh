#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kill --tree ends children, daemons with the run id and whoever ignores TERM, and does not claim that this is all.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

kill_tree() { "$HOLDFAST" kill "$line" --tree --grace 0.2 --json; }
for kind in child setsid-child double-fork daemon; do
  rm -f life
  mkfifo life
  timeout 30 cat life >/dev/null &
  witness=$!
  HOLDFAST_RUN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  export HOLDFAST_RUN
  exec 9>life
  start stay "$kind" ignore-term
  exec 9>&-
  unset HOLDFAST_RUN
  line=$("$HOLDFAST" identify "$pid")
  expect_code 69 kill_tree
  expect_json .outcome unproven
  expect_json .evidence no-cgroup
  expect_json .ended 2
  wait "$witness" || fail "a process of the tree is still alive: $kind"
  wait "$pid" || :
done
[ "$(count_events process.unproven)" -eq 4 ] || fail 'it is not on record'

# A leader that is gone leaves a tree that nobody can prove to be gone.
expect_code 69 kill_tree
expect_json .evidence leader-gone
expect_code 66 "$HOLDFAST" kill "$line"
