#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two record at once, where the lock is a no-op; somebody holds the lock for ever. By hand: a row is lost, and the hook
# hangs. With holdfast: no row is lost, and a wait has an end. What the latest answer says is the same for both.
# label: system
. "$(dirname -- "$0")/escalation_ledger.inc"
stage slow

# ---- by hand, as on Windows: no lock
ledger_in by-hand
export LEDGER_AS_ON_WINDOWS=1
expect_code 0 naive record s0 accepted
LEDGER_PAUSE=slow
export LEDGER_PAUSE
begin naive record s1 declined
slow=$pid
unset LEDGER_PAUSE
arrived slow
expect_code 0 naive record s2 declined
expect_code 1 naive replay-safe s2
go_on slow
ended "$slow"
[ "$code $(rows)" = '0 2' ] || fail 'the row is not lost'
expect_code 1 naive lookup s2
expect_code 0 naive replay-safe s2 # "ask": the answer of a moment ago is gone
unset LEDGER_AS_ON_WINDOWS

# ---- with holdfast: two record at once, and both wait for the directory, which a third one has. That one is in the
# middle of a change of its own; nobody may have read the ledger before it.
ledger_in held
expect_code 0 ours record s0 accepted
command -v flock >/dev/null || skip 'there is no flock(1)'
stage hold
begin flock "$LEDGER_DIR/.hf-stage-lock" sh -c ': >hold.there; cat hold.go'
holder=$pid
arrived hold
LEDGER_WAIT=30s
export LEDGER_WAIT
begin ours record s1 declined
one=$pid
begin ours record s2 declined
two=$pid
inode=$(stat -c %i "$LEDGER_DIR/.hf-stage-lock")
both_wait() { [ "$(grep -cE -- "-> FLOCK .*:$inode " /proc/locks)" -eq 2 ]; }
wait_until both_wait
[ "$(rows)" -eq 1 ] || fail 'recorded beside the one who has the lock'
jq '. + [{signal_hash: "s3", user_response: "accepted", timestamp: 1700000000}]' "$ledger" >next
chmod 600 next
mv next "$ledger"
go_on hold
for pid in "$holder" "$one" "$two"; do
  ended "$pid"
  [ "$code" -eq 0 ] || fail "$code: $(cat "$scratch/begun")"
done
unset LEDGER_WAIT
[ "$(jq -r '[.[].signal_hash] | sort | join(" ")' "$ledger")" = 's0 s1 s2 s3' ] || fail "a row is lost: $(cat "$ledger")"
expect_code 3 ours replay-safe s1
expect_code 3 ours replay-safe s2
expect_code 0 ours replay-safe s0
expect_code 0 ours replay-safe never-heard-of
expect_code 66 ours lookup never-heard-of
expect_code 0 ours lookup s2
expect_stdout_contains '"user_response":"declined"'

# Eight at once.
export LEDGER_WAIT=30s
many=
for number in 1 2 3 4 5 6 7 8; do
  begin ours record "many-$number" declined
  many="$many $pid"
done
for pid in $many; do
  ended "$pid"
  [ "$code" -eq 0 ] || fail "$code: $(cat "$scratch/begun")"
done
unset LEDGER_WAIT
[ "$(rows)" -eq 12 ] || fail "$(rows) rows, not 12"

# The latest answer counts: who has changed their mind is asked again, and who has said no once more is not.
for who in by-hand held; do
  ledger_in "$who"
  case $who in by-hand) version=naive no=1 ;; *) version=ours no=3 ;; esac
  expect_code 0 "$version" record mind declined
  expect_code "$no" "$version" replay-safe mind
  expect_code 0 "$version" record mind accepted
  expect_code 0 "$version" replay-safe mind
  expect_code 0 "$version" record mind declined
  expect_code "$no" "$version" replay-safe mind
done

# Somebody holds the lock and does not let go. By hand there is no end to the wait.
ledger_in by-hand
begin flock "$LEDGER_DIR/escalation-history.lock" sh -c ': >hold.there; cat hold.go'
arrived hold
expect_code 124 timeout 1 python3 "$examples/escalation-ledger/naive/escalation_ledger.py" record s3 declined
go_on hold
ledger_in held
begin flock "$LEDGER_DIR/.hf-stage-lock" sh -c ': >hold.there; cat hold.go'
holder=$pid
arrived hold
cp "$ledger" before
expect_code 75 ours record s3 declined # after the 5 s of the hook
cmp "$ledger" before || fail 'recorded although it is busy'
expect_code 3 ours replay-safe s2 # who only reads does not wait
go_on hold
ended "$holder"
expect_code 0 ours record s3 declined
