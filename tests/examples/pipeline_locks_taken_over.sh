#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An engine that has lost its session ends its agent in the very moment in which its successor reads why that agent cannot
# be begun again. They share a directory, and no answer. And a wait that fails at once is not repeated for ever.
# label: system
. "$(dirname -- "$0")/pipeline_locks.inc"
for name in A-1 B-once; do stage "$name"; done

# holdfast as B has it: it stops behind its first `once`, when the answer is written and not yet read.
cat >stopping <<'END'
#!/bin/sh
[ "$1" = once ] && mkdir once-seen 2>/dev/null || exec "$REAL" "$@"
code=0
"$REAL" "$@" || code=$?
: >B-once.there
cat B-once.go
exit "$code"
END
# And one whose `wait` cannot tell.
cat >waitless <<'END'
#!/bin/sh
[ "$1" != wait ] || { echo >>waits; exit 69; }
exec "$REAL" "$@"
END
chmod +x stopping waitless
export REAL="$HOLDFAST"

export PIPELINE_TTL=1s
begin_engine A "$ours" foo 1
a=$pid
arrived A-1
PIPELINE_TTL=1h
HOLDFAST=$PWD/stopping
begin_engine B "$ours" foo 2 --take-over
b=$pid
HOLDFAST=$REAL
arrived B-once # B was told that the agent of A works, and has not yet looked who said so
go_on A-1
ended "$a"
[ "$code" -eq 76 ] || fail "A ended with $code: $(cat "$scratch/begun")"
go_on B-once
ended "$b"
[ "$code" -eq 0 ] || fail "B ended with $code: $(cat "$scratch/begun")"
state_is foo '2 complete'
agents_are 'A-1 begins,A-1 ends,B-2 begins,B-2 ends'
[ "$(ls runs/foo)" = state.json ] || fail "left behind: $(ls runs/foo)"

# The agent of a killed engine works on, and the next engine cannot wait for it: it gives up, says so, and the session stays
# as it was, for whoever comes later.
: >agents
stage C-1
begin_engine C "$ours" bar 1
c=$pid
arrived C-1
kill -s KILL "$c"
ended "$c"
cp runs/bar/state.json before
WHO=D
export WHO
expect_code 75 timeout 60 env HOLDFAST="$PWD/waitless" "$ours" bar 1 -- ./agent
expect_stderr_contains 'has not come to its end'
[ "$(wc -l <waits)" -eq 3 ] || fail "waited $(wc -l <waits) times"
cmp runs/bar/state.json before || fail 'the state was changed'
agents_are 'C-1 begins'
go_on C-1
expect_code 0 engine E "$ours" bar 1
agents_are 'C-1 begins,C-1 ends'
state_is bar '1 complete'
