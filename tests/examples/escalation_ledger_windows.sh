#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same ledger on holdfast.exe, under Wine: eight at once lose nothing, links (reparse points) are refused and what
# they name stays as it was, damage is never written over. HOLDFAST_WINDOWS is a program that runs holdfast.exe.
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

# Links, planted from outside: of the directory, of the ledger.
mkdir theirs
printf '[{"signal_hash":"gdpr","user_response":"declined","timestamp":%s}]' "$(date +%s)" >theirs/escalation-history.json
cp theirs/escalation-history.json before
refused() {
  expect_code 77 ours replay-safe gdpr
  expect_code 77 ours record s1 accepted
  cmp theirs/escalation-history.json before || fail 'the file of the attacker was written'
  [ "$(find theirs | wc -l)" -eq 2 ] || fail "something was made there: $(ls -A theirs)"
}
ln -s theirs linked
windows_ledger_in linked
refused
mkdir -m 700 with-link
ln -s ../theirs/escalation-history.json with-link/escalation-history.json
windows_ledger_in with-link
refused

# Damage.
windows_ledger_in held
printf '[{"signal_hash":"s1",' >"$ledger"
cp "$ledger" before
expect_code 65 ours replay-safe s1
expect_code 65 ours record s1 accepted
cmp "$ledger" before || fail 'a damaged ledger was changed'
