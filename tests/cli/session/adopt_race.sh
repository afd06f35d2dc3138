#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Of several that adopt, stop or run an orphan at once, one takes care of it, and nobody else touches it.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# race NAME: three adopt the orphan and one runs its name, all at once.
race() {
  mkdir "$1"
  stdout=$1/stdout stderr=$1/stderr
  pids=
  for n in 1 2 3; do
    { "$HOLDFAST" adopt "$1" >"$1/adopt$n" 2>&1 && code=0 || code=$?; echo "$code" >"$1/adopt$n.code"; } &
    pids="$pids $!"
  done
  { "$HOLDFAST" run --name "$1" -- true >"$1/run" 2>&1 && code=0 || code=$?; echo "$code" >"$1/run.code"; } &
  pids="$pids $!"
  for pid in $pids; do wait "$pid" || :; done
  won=$(cat "$1"/adopt?.code | grep -c '^0$') || :
  [ "$won" -eq 1 ] || fail "$1: $won adopted it: $(cat "$1"/adopt? "$1"/adopt?.code)"
  ! cat "$1"/adopt?.code | grep -qvxE '0|75' || fail "$1: adopt: $(cat "$1"/adopt?.code "$1"/adopt?)"
  case $(cat "$1/run.code") in 69 | 75) ;; *) fail "$1: run: $(cat "$1/run.code" "$1/run")" ;; esac
  expect_record "$1" .adopted true
  expect_code 0 "$HOLDFAST" stop "$1"
  expect_group_gone
}
# A round is two seconds of patience and little work: the next one begins meanwhile, with an orphan of its own.
rounds=
for round in 1 2 3 4 5 6 7 8; do
  orphan "x$round" -- sleep 600
  need_group
  race "x$round" &
  rounds="$rounds $!"
done
lost=0
for each in $rounds; do wait "$each" || lost=$((lost + 1)); done
[ "$lost" -eq 0 ] || fail "$lost rounds: see above"

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
