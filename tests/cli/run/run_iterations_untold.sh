#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A series that came to its end and could not tell is told by the next call of the same command, which starts nothing.
# What never began is not counted, and what ran is, even if its session was removed meanwhile.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# Over, and nobody was told: its stdout cannot be written.
[ -e /dev/full ] || skip 'there is no /dev/full'
code=0
"$HOLDFAST" run --name u --iterations 2 --json -- sh -c 'echo $HOLDFAST_ITERATION >>ran; exit 3' >/dev/full 2>/dev/null || code=$?
[ "$code" -eq 74 ] || fail "code $code, not 74"
expect_series u '[.over, .code, .answered // false] | map(tostring) | join(" ")' 'iterations 3 false'
expect_code 3 "$HOLDFAST" run --name u --iterations 2 --json -- sh -c 'echo $HOLDFAST_ITERATION >>ran; exit 3'
expect_json '[.reason, .done, .exit_code] | join(" ")' 'iterations 2 3'
expect_ran 1 2
expect_series u .answered true
# Once: then it begins anew.
expect_code 3 "$HOLDFAST" run --name u --iterations 2 -- sh -c 'echo $HOLDFAST_ITERATION >>ran; exit 3'
expect_ran 1 2 1 2
# Another command, and --fresh, do not ask for the old one.
again() { jq -c 'del(.answered, .crc32c)' "$HOLDFAST_HOME/sessions/u/series.json" >changed && cat changed >"$HOLDFAST_HOME/sessions/u/series.json"; }
again
expect_code 0 "$HOLDFAST" run --name u --iterations 1 -- sh -c 'echo other >>ran'
again
expect_code 0 "$HOLDFAST" run --name u --iterations 1 --fresh -- sh -c 'echo other >>ran'
expect_ran 1 2 1 2 other other

# The session's directory is removed while an iteration runs: it is counted by its supervisor's own word.
rm ran
make_gate
"$HOLDFAST" run --name gone --iterations 2 --json -- ./gated >"$stdout" 2>"$stderr" &
driver=$!
wait_up
remove_session "$HOLDFAST_HOME/sessions/gone"
open_gate 6
wait_up
open_gate 0
wait "$driver" || fail 'it did not go on'
expect_ran 1 2
expect_json '[.history[] | "\(.n) \(.state) \(.exit_code)"] | join(",")' '1 exited 6,2 exited 0'

# A supervisor that died after it had reserved the session, and before its command: the same iteration again. What is left
# of such a death is made from what a real one leaves: the record stays at `reserved`.
rm ran
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'
reached=0
for each in write renameat; do
  n=1
  while [ "$n" -lt 30 ]; do
    rm -f ran
    name=never-$each-$n
    strace -f -qq -o trace -e trace=$each -e inject=$each:signal=KILL:when=$n "$HOLDFAST" run --name "$name" --iterations 3 -- \
      sh -c 'echo $HOLDFAST_ITERATION >>ran' >/dev/null 2>&1 </dev/null || :
    grep -q 'killed by SIGKILL' trace || break
    n=$((n + 1))
    record=$HOLDFAST_HOME/sessions/$name/session.json
    if [ -e ran ] || [ ! -e "$record" ]; then continue; fi
    [ "$(jq -r .state "$record")" = reserved ] || continue
    reached=$((reached + 1))
    expect_code 0 "$HOLDFAST" run --name "$name" --iterations 3 --wait 1m --json -- sh -c 'echo $HOLDFAST_ITERATION >>ran'
    expect_ran 1 2 3
    expect_json '[.history[] | "\(.n) \(.state)"] | join(",")' '1 exited,2 exited,3 exited'
  done
done
[ "$reached" -gt 0 ] || fail 'no death left a reserved session: this is not tested'
