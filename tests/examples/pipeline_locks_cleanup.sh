#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Engines start at the same moment. By hand, with the owner checked at the release: the clean-up of one start deletes
# the living lock of another, in two ways. With holdfast: there is no clean-up, and one of them gets the lock.
# label: system
. "$(dirname -- "$0")/pipeline_locks.inc"
for name in gate A-1 B-1 C-1; do stage "$name"; done

# ---- by hand
export CHECK_OWNER=1
# A has made its lock file, and not yet written who it is: B takes that for stale.
export PAUSE=gate PAUSE_POINT=raw-pid
begin_engine A "$naive" foo 1
a=$pid
unset PAUSE_POINT
arrived gate
begin_engine B "$naive" foo 1
b=$pid
arrived B-1
go_on gate
arrived A-1
agents_are 'B-1 begins,A-1 begins'
go_on A-1
go_on B-1
ended "$a"
ended "$b"

# A, an engine of another session, has judged a dead lock; B takes the session over; A deletes the lock of B.
: >agents
rm -r runs locks
mkdir locks
echo '{"pid":99999999}' >locks/foo.lock
PAUSE_POINT=judged-stale
export PAUSE_POINT
begin_engine A "$naive" other 1
a=$pid
unset PAUSE_POINT
arrived gate
begin_engine B "$naive" foo 1
b=$pid
arrived B-1
go_on gate
arrived A-1
begin_engine C "$naive" foo 1
c=$pid
arrived C-1
agents_are 'B-1 begins,A-1 begins,C-1 begins' # B and C have one session
for name in A-1 B-1 C-1; do go_on "$name"; done
ended "$a"
ended "$b"
ended "$c"

# ---- with holdfast: many at once, over a session whose engine was killed
: >agents
rm -r runs locks
rm -- *.there *.go
stage A-1
begin_engine A "$ours" foo 1
a=$pid
arrived A-1
kill -s KILL "$a"
ended "$a"
go_on A-1
for who in 1 2 3 4 5 6 7 8; do
  stage "$who-2"
  begin_engine "$who" "$ours" foo 2
  echo "$pid" >"$who.pid"
done
begin_engine other "$ours" bar 1 # the start of another session has nothing to do with it
ended "$pid"
[ "$code" -eq 0 ] || fail "the other session: $code, $(cat "$scratch/begun")"
wait_until grep -q -- '-2 begins' agents
winner=$(sed -n 's/-2 begins//p' agents)
for who in 1 2 3 4 5 6 7 8; do
  [ "$who" != "$winner" ] || continue
  ended "$(cat "$who.pid")"
  [ "$code" -eq 75 ] || fail "$who ended with $code: $(cat "$scratch/begun")"
done
arrived "$winner-2"
go_on "$winner-2"
ended "$(cat "$winner.pid")"
[ "$code" -eq 0 ] || fail "$winner ended with $code: $(cat "$scratch/begun")"
state_is foo '2 complete'
[ "$(grep -c ' begins' agents)" -eq 3 ] || fail "the agents: $(cat agents)"
