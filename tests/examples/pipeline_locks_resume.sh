#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An engine is killed in the middle, and its agent works on; an agent fails; the state is damaged. By hand: the next engine
# starts a second agent beside the first, a failure counts as done, and damage starts over. With holdfast: not so.
# label: system
. "$(dirname -- "$0")/pipeline_locks.inc"
stage A-2
stage B-2

# ---- by hand
begin_engine A "$naive" foo 3
a=$pid
arrived A-2
kill -s KILL "$a"
ended "$a"
begin_engine B "$naive" foo 3
b=$pid
arrived B-2
agents_are 'A-1 begins,A-1 ends,A-2 begins,B-2 begins' # two agents in one iteration
go_on A-2
go_on B-2
ended "$b"
export AGENT_CODE=7
expect_code 0 engine D "$naive" fails 1
state_is fails '1 complete'
unset AGENT_CODE
printf '{"completed":1,' >runs/foo/state.json
: >agents
engine E "$naive" foo 1 >"$stdout" 2>"$stderr" || :
agents_are 'E-1 begins,E-1 ends' # from the beginning
wait_until sh -c '! [ -e locks/foo.lock ]'

# ---- with holdfast
: >agents
rm -r runs
rm B-2.there B-2.go
begin_engine A "$ours" foo 3
a=$pid
arrived A-2
kill -s KILL "$a"
ended "$a"
begin_engine B "$ours" foo 3
b=$pid
wait_until grep -q 'still works' "$scratch/begun"
agents_are 'A-1 begins,A-1 ends,A-2 begins'
go_on A-2
ended "$b"
[ "$code" -eq 0 ] || fail "B ended with $code: $(cat "$scratch/begun")"
agents_are 'A-1 begins,A-1 ends,A-2 begins,A-2 ends,B-3 begins,B-3 ends'
state_is foo '3 complete'

# A failure is a failure, and is tried again; a finished session begins a new run.
export AGENT_CODE=7
expect_code 7 engine D "$ours" fails 2
state_is fails '0 failed'
AGENT_CODE=75 # not to be taken for "another one works on it"
expect_code 75 timeout 30 "$ours" fails 2 -- ./agent
unset AGENT_CODE
expect_code 0 engine D "$ours" fails 2
state_is fails '2 complete'
: >agents
expect_code 0 engine E "$ours" fails 1
agents_are 'E-1 begins,E-1 ends'

# Damage is not "from the beginning".
printf '{"completed":1,' >runs/foo/state.json
cp runs/foo/state.json before
: >agents
expect_code 65 engine E "$ours" foo 3
cmp runs/foo/state.json before || fail 'the damaged state was written over'
agents_are ''
