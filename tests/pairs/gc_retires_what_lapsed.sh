#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gc removes the records of steps that decide nothing any more and of no others, and the ledger of a lock whose holder died:
# a home is as large as what is alive and recent.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers

once() { "$HOLDFAST" once "$@" >/dev/null 2>&1; }
once 'for good' -- true
once recent --ttl 1h -- true
once lapsed --ttl 1ms -- true
once 'for good' --ttl 1ms -- false || :
once failed -- false || :
"$HOLDFAST" attempt tried --max 3 -- false || :
echo text | "$HOLDFAST" notify told --cooldown 1ms -- true
echo text | "$HOLDFAST" notify changed --on-change -- true
echo text | "$HOLDFAST" notify lately -- true
echo text | "$HOLDFAST" notify unsent --cooldown 1ms -- false || :
records() { (cd "$HOLDFAST_HOME/once" && printf '%s\n' *.json | sort | tr '\n' ' '); }
before=$(records)
expect_code 0 "$HOLDFAST" gc --json
expect_json .lapsed 0
[ "$(records)" = "$before" ] || fail "what was used just now is gone: $(records)"
expect_code 0 "$HOLDFAST" gc --trash-for 0s --json
expect_json .lapsed 3
[ "$(records)" = 'attempt%3Atried.json notify%3Achanged.json notify%3Alately.json notify%3Aunsent.json once%3Afor%20good.json once%3Arecent.json ' ] ||
  fail "left: $(records)"
[ "$("$HOLDFAST" journal count --type step.forgotten)" -eq 3 ] || fail 'it is not in the journal'
expect_code 0 "$HOLDFAST" once 'for good' --json -- touch again
expect_json .decision skipped

# Keeper and owner are killed: the lock is nobody's, and its ledger says held.
owner dead
for keeper in $(keepers); do kill -s KILL "$keeper"; wait_gone "$keeper"; done
end_owner KILL
expect_code 0 "$HOLDFAST" locks dead --json
expect_json .state stale
expect_code 0 "$HOLDFAST" gc --json
expect_code 0 "$HOLDFAST" locks dead --json
expect_json .state stale
expect_code 0 "$HOLDFAST" gc --trash-for 0s --json
[ ! -e "$HOLDFAST_HOME/locks/dead.lock" ] || fail 'the ledger of the dead is left'
[ "$("$HOLDFAST" journal count --type lock.recovered)" -eq 1 ] || fail 'the recovery is not in the journal'
