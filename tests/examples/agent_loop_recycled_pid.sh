#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/agent-loop: the agent died, and its number went to somebody else before the deadline was looked at. The naive
# loop kills that one, also when it looks at its name; holdfast's does not.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/forge.inc"
. "$(dirname -- "$0")/agent_loop.inc"
unshare --map-root-user --pid --fork --mount-proc sh -c 'echo 100 >/proc/sys/kernel/ns_last_pid' 2>/dev/null ||
  skip 'no pid namespace with a settable last pid'
hung_agent hung
cp "$(command -v sleep)" node      # an innocent program, by the name of an agent
loop_file 's/^timeout = .*/timeout = "1s"\ngrace = "100ms"/; s/^attempts = .*/attempts = 1/'

cat >inside.sh <<'INSIDE'
runs() { [ -e "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }
# recycle NUMBER: it is an innocent one's from now on.
recycle() {
  tries=0
  new=0
  until [ "$new" -eq "$1" ]; do
    echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
    ./node 1000 &
    new=$!
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || exit 20
  done
}
# ended NUMBER…: killed, and reaped by us, who are process 1 here.
ended() {
  for pid; do kill -s KILL "$pid" 2>/dev/null; done
  for pid; do
    while [ -e "/proc/$pid" ]; do /bin/true; done
  done
}
at_work() { until [ -s "$AGENTS" ]; do /bin/true; done; }

case $1 in
  naive)
    python3 "$2/naive/loop.py" || exit 21
    at_work
    agent=$(jq .pid "$LOOP_STATE")
    # shellcheck disable=SC2046
    ended $(cat "$AGENTS") "$agent"
    recycle "$agent"
    jq '.started_at -= 7200' "$LOOP_STATE" >"$LOOP_STATE.new" && mv "$LOOP_STATE.new" "$LOOP_STATE"
    runs "$agent" && echo 'the innocent one runs before'
    python3 "$2/naive/loop.py"
    echo "the loop answered $?" ;;
  holdfast)
    "$HOLDFAST" loop loop.toml --no-wait || exit 22
    at_work
    record=$HOLDFAST_HOME/sessions/issue-160/session.json
    agent=$(jq .command.pid "$record")
    supervisor=$(jq .supervisor.pid "$record")
    # The supervisor first: nobody is left who could see the agent end.
    # shellcheck disable=SC2046
    ended "$supervisor" "$agent" $(cat "$AGENTS")
    recycle "$agent"
    recycle "$supervisor"
    runs "$agent" && runs "$supervisor" && echo 'the innocent ones run before'
    # The deadline of the dead run passes.
    "$HOLDFAST" until --timeout 10s --every 100ms -- sh -c '[ "$(date +%s)" -gt '"$(($(date +%s) + 2))"' ]' >/dev/null
    "$HOLDFAST" loop loop.toml --once
    echo "the loop answered $?"
    echo "held by $(jq -r .containment "$record")"
    "$HOLDFAST" kill issue-160 --json | jq -r '"kill: " + .outcome'
    "$HOLDFAST" stop issue-160 --json | jq -r '"stop: " + .outcome'
    runs "$supervisor" && echo 'the second innocent one runs' ;;
esac
runs "$agent" && echo 'the innocent one runs'
:
INSIDE
inside() {
  : >"$AGENTS"
  code=0
  unshare --map-root-user --pid --fork --mount-proc sh inside.sh "$1" "$example" >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -ne 20 ] || skip 'the number could not be given out again'
  [ "$code" -eq 0 ] || fail "$1: exit code $code"
}

issue 'It hangs'
for names in '' claude,node; do
  rm -f "$LOOP_STATE"
  LOOP_CHECK_NAME=$names
  export LOOP_CHECK_NAME
  inside naive
  expect_stdout_contains 'the innocent one runs before'
  expect_stdout_contains 'the loop answered 1'
  ! grep -qx 'the innocent one runs' "$stdout" || fail "the naive loop ($names) has become better"
  issue 'It hangs, too'
done

another_forge
issue 'It hangs'
inside holdfast
expect_stdout_contains 'the innocent ones run before'
grep -qx 'the innocent one runs' "$stdout" || fail 'the one who has the number of the agent is dead'
grep -qx 'the second innocent one runs' "$stdout" || fail 'the one who has the number of the supervisor is dead'
expect_stdout_contains 'the loop answered 0'
grep -qxE 'kill: (gone|mismatch)' "$stdout" || fail 'kill does not say that the agent is gone'
# Of the whole tree nobody can say so without a control group.
case $(grep '^held by ' "$stdout") in
  'held by cgroup') grep -qxE 'stop: (gone|mismatch)' "$stdout" || fail 'stop does not say that the agent is gone' ;;
  *) grep -qx 'stop: unproven' "$stdout" || fail 'stop says what nobody can tell' ;;
esac
expect_issue 160 .state open
