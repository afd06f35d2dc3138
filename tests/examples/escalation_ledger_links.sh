#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A link lies where the directory, the ledger or its lock should be. By hand: rows go into the attacker's directory, and
# the attacker's history is believed. With holdfast: refused, for reading too, and what the link names stays as it was.
# label: system
. "$(dirname -- "$0")/escalation_ledger.inc"
planted='[{"signal_hash":"gdpr","user_response":"declined","timestamp":'$(date +%s)'}]'

# plant DIRECTORY: what an attacker has prepared elsewhere.
plant() {
  mkdir "$1"
  printf '%s' "$planted" >"$1/escalation-history.json"
}

# ---- by hand, also with flock and O_NOFOLLOW: these look at the last part of one path
plant theirs
ln -s theirs by-hand
ledger_in by-hand
expect_code 1 naive replay-safe gdpr
expect_code 0 naive record s1 accepted
[ "$(jq length theirs/escalation-history.json)" -eq 2 ] || fail 'it did not go into the directory of the attacker'
plant theirs2
mkdir by-hand2
ln -s ../theirs2/escalation-history.json by-hand2/escalation-history.json
ledger_in by-hand2
expect_code 1 naive replay-safe gdpr # suppressed by a row that the user never gave

# ---- with holdfast
plant theirs3
cp theirs3/escalation-history.json before
refused() {
  expect_code 77 ours replay-safe gdpr
  expect_code 77 ours lookup gdpr
  expect_code 77 ours check
  expect_code 77 ours record s1 accepted
  cmp theirs3/escalation-history.json before || fail 'the file of the attacker was written'
  [ "$(find theirs3 | wc -l)" -eq 2 ] || fail "something was made there: $(ls -A theirs3)"
}
ln -s theirs3 linked
ledger_in linked
refused
mkdir -m 700 held
ln -s ../theirs3/escalation-history.json held/escalation-history.json
ledger_in held
refused
rm held/escalation-history.json
ln -s ../theirs3/new.json held/escalation-history.json # a dangling one
refused
mkdir -m 700 above
ln -s ../theirs3 above/middle
ledger_in above/middle
refused

# The old lock's place is nothing to holdfast; a link there is not followed.
ledger_in clean
expect_code 0 ours record s1 accepted
ln -s "$PWD/theirs3/escalation-history.json" clean/escalation-history.lock
expect_code 0 ours record s1 accepted
[ "$(rows)" -eq 2 ] || fail "$(rows) rows"
cmp theirs3/escalation-history.json before || fail 'the file of the attacker was written'
