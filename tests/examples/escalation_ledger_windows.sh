#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same ledger on holdfast.exe, under Wine: eight at once lose nothing, a wait has an end, links (reparse points) in any
# part of the path are refused and what they name stays as it was, damage is never written over. HOLDFAST_WINDOWS is a
# program that runs holdfast.exe. Only ours is attacked here: the naive one needs a Python for Windows, and is shown on Linux.
# label: system
. "$(dirname -- "$0")/escalation_ledger.inc"
[ -n "${HOLDFAST_WINDOWS-}" ] || skip 'HOLDFAST_WINDOWS does not name a program that runs holdfast.exe'
HOLDFAST=$HOLDFAST_WINDOWS
HOLDFAST_HOME=Z:$scratch/home
export LEDGER_WAIT=30s

# windows_ledger_in DIR: as the Windows program calls it; the file is $ledger for us.
windows_ledger_in() {
  ledger_in "$1"
  LEDGER_DIR=Z:$LEDGER_DIR
}

windows_ledger_in held
expect_code 0 ours record s1 declined
expect_code 0 ours record s2 accepted
expect_code 3 ours replay-safe s1
expect_code 0 ours replay-safe s2
expect_code 66 ours lookup s3
many=
for number in 1 2 3 4 5 6 7 8; do
  begin ours record "many-$number" declined
  many="$many $pid"
done
for pid in $many; do
  ended "$pid"
  [ "$code" -eq 0 ] || fail "$code: $(cat "$scratch/begun")"
done
[ "$(rows)" -eq 10 ] || fail "$(rows) rows, not 10"

# The latest answer counts.
expect_code 0 ours record s1 accepted
expect_code 0 ours replay-safe s1
expect_code 0 ours record s1 declined
expect_code 3 ours replay-safe s1

# Somebody holds the directory and does not let go: a wait has an end, and who only reads does not wait.
wine=$(sed -n 's/^exec "\([^"]*\)".*/\1/p' "$HOLDFAST")
begin "$wine" "$(dirname -- "${HOLDFAST_EXE:?}")/directory_locker.exe" held/.holdfast-lock let-go
holder=$pid
wait_until grep -q held "$scratch/begun"
cp "$ledger" before
LEDGER_WAIT=500ms
expect_code 75 ours record s4 declined
cmp "$ledger" before || fail 'recorded although it is busy'
expect_code 3 ours replay-safe s1
: >let-go
ended "$holder"
[ "$code" -eq 0 ] || fail "the holder ended with $code"
LEDGER_WAIT=30s
expect_code 0 ours record s4 declined

# Links, planted from outside: of the directory, of the ledger, one that leads nowhere, one in the middle of the path.
mkdir theirs theirs/deep
printf '[{"signal_hash":"gdpr","user_response":"declined","timestamp":%s}]' "$(date +%s)" >theirs/escalation-history.json
cp theirs/escalation-history.json before
untouched() {
  cmp theirs/escalation-history.json before || fail 'the file of the attacker was written'
  [ "$(find theirs | wc -l)" -eq 3 ] || fail "something was made there: $(find theirs)"
}
refused() {
  for verb in replay-safe lookup; do expect_code 77 ours "$verb" gdpr; done
  expect_code 77 ours check
  expect_code 77 ours record s1 accepted
  untouched
}
ln -s theirs linked
windows_ledger_in linked
refused
mkdir -m 700 with-link
ln -s ../theirs/escalation-history.json with-link/escalation-history.json
windows_ledger_in with-link
refused
# A dangling one. Wine shows it as nothing at all, where Windows shows a reparse point: then it is replaced and not followed.
rm with-link/escalation-history.json
ln -s ../theirs/new.json with-link/escalation-history.json
code=0
ours record s1 accepted >"$stdout" 2>"$stderr" || code=$?
case $code in
  77) ;;
  0) { [ ! -L "$ledger" ] && [ "$(rows)" -eq 1 ]; } || fail 'the row is not in a file of our own' ;;
  *) fail "a dangling link: $code" ;;
esac
untouched
mkdir -m 700 above
ln -s ../theirs above/middle
windows_ledger_in above/middle
refused
windows_ledger_in above/middle/deep
refused

# Damage.
windows_ledger_in held
printf '[{"signal_hash":"s1",' >"$ledger"
cp "$ledger" before
expect_code 65 ours replay-safe s1
expect_code 65 ours record s1 accepted
cmp "$ledger" before || fail 'a damaged ledger was changed'
