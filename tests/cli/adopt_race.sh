#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Of several that adopt, stop or run an orphan at once, one takes care of it, and nobody else touches it.
. "$(dirname -- "$0")/run_session.inc"
. "$(dirname -- "$0")/orphans.inc"
. "$(dirname -- "$0")/lib.sh"

round=0
while [ "$round" -lt 8 ]; do
  round=$((round + 1))
  orphan x -- sleep 600
  need_group
  pids=
  for n in 1 2 3; do
    { "$HOLDFAST" adopt x >"adopt$n" 2>&1 && code=0 || code=$?; echo "$code" >"adopt$n.code"; } &
    pids="$pids $!"
  done
  { "$HOLDFAST" run --name x -- true >"run" 2>&1 && code=0 || code=$?; echo "$code" >run.code; } &
  pids="$pids $!"
  for pid in $pids; do wait "$pid" || :; done
  won=$(cat adopt?.code | grep -c '^0$') || :
  [ "$won" -eq 1 ] || fail "round $round: $won adopted it: $(cat adopt? adopt?.code)"
  ! cat adopt?.code | grep -qvxE '0|75' || fail "round $round: adopt: $(cat adopt?.code adopt?)"
  case $(cat run.code) in 69 | 75) ;; *) fail "round $round: run: $(cat run.code run)" ;; esac
  expect_record x .adopted true
  expect_code 0 "$HOLDFAST" stop x
  expect_group_gone
done

# Stoppers of one orphan: it ends once, and each of the others says that somebody else does it, or that it is over.
orphan y -- sh -c 'trap "" TERM; while :; do sleep 600; done'
pids=
for n in 1 2 3; do
  { "$HOLDFAST" stop y --grace 300ms >"stop$n" 2>&1 && code=0 || code=$?; echo "$code" >"stop$n.code"; } &
  pids="$pids $!"
done
for pid in $pids; do wait "$pid" || :; done
[ "$(cat stop?.code | grep -c '^0$')" -eq 1 ] || fail "$(cat stop? stop?.code)"
! cat stop?.code | grep -qvxE '0|66|75' || fail "stop: $(cat stop?.code stop?)"
expect_group_gone
[ "$("$HOLDFAST" journal query --type session.ended --json | grep -c '"name":"y"')" -eq 1 ] || fail 'it ended twice'
