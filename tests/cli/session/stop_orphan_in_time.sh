#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An orphan has nobody but `stop`: whatever its grace, KILL comes within --budget and --wait, with --all, with --hook, and
# for who has left its control group.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/budget.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# deaf NAME [OPTION…]: an orphan that does nothing about TERM.
deaf() {
  rm -f deaf
  orphan "$@" -- sh -c 'trap "" TERM; echo >deaf; while :; do sleep 600; done'
  until [ -e deaf ]; do sleep 0.05; done
}
# ended OPTION…: by `stop` within the time.
ended() {
  begin
  expect_code 0 timeout -s KILL 30 "$HOLDFAST" stop "$@"
  took_at_most 8000
  expect_group_gone
}

deaf a --grace 1m
need_group
ended a --budget 2s
deaf b
ended b --grace 1m --budget 2s
deaf c --grace 1m
ended c --wait 2s
deaf d --grace 1m
ended d --hook --budget 2s
deaf e --grace 1m
"$HOLDFAST" run --detach --name live -- sleep 600 >/dev/null
ended --all --budget 3s

# One process has left the group, and does nothing about TERM either.
rm -f deaf
orphan out --grace 1m -- sh -c 'trap "" TERM; echo >deaf; while :; do sleep 600; done'
until [ -e deaf ]; do sleep 0.05; done
record out .command.pid >"$(dirname -- "$orphan_group")/cgroup.procs" 2>/dev/null || skip 'nobody can leave'
begin
code=0
timeout -s KILL 30 "$HOLDFAST" stop out --budget 2s >"$stdout" 2>"$stderr" || code=$?
took_at_most 8000
[ "$code" -ne 137 ] || fail 'given up on after 30 s'
"$HOLDFAST" stop out --grace 0 >"$stdout" 2>"$stderr" || :
