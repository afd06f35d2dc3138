#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where runs meet something else: nothing is detached inside a run that would end it; a session that waits for a lock is
# stopped and its command never runs; of eight of one name one runs; a lock that is lost under a run makes its success 76;
# what a step, a series or a loop counts is not resumed; a secret on a command line is in no event and no ledger.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"
. "$(dirname -- "$0")/loop.inc"
make_world
loop_file

refused() {
  expect_code 64 "$@"
  expect_stderr_contains 'which ends everything below it when it ends'
}
items one
refused "$HOLDFAST" run -- "$exe" run --detach --name inner -- "$cmd" /c 'echo ran>ran'
refused "$HOLDFAST" once key -- "$exe" run --detach --name inner -- "$cmd" /c 'echo ran>ran'
refused "$HOLDFAST" run -- "$exe" loop fix.toml --no-wait
expect_code 66 "$HOLDFAST" show inner
[ ! -e story.one ] || fail 'the loop has begun something'
expect_code 0 "$HOLDFAST" run -- "$exe" loop fix.toml --once
expect_times 1 one run

# Stopped while it waits.
waiter held
"$HOLDFAST" lock L -- "$cmd" /c held.cmd >/dev/null 2>&1 &
holder=$!
wait_until test -e held.up
"$HOLDFAST" run --name w --lock L --wait 1h -- "$cmd" /c 'echo ran>ran' >/dev/null 2>words &
run=$!
wait_until test -e "$HOLDFAST_HOME/sessions/w/session.json"
expect_code 0 "$HOLDFAST" stop w
if wait "$run"; then fail 'a run that was stopped before it began exits with 0'; fi
expect_code 0 "$HOLDFAST" show w --json
expect_json .state failed
expect_json .reason stopped
: >held.go
wait "$holder" || fail "the holder: $?"

# One name, eight at once.
waiter name
for number in 1 2 3 4 5 6 7 8; do
  "$HOLDFAST" run --name same -- "$cmd" /c "echo ran>>ran.$number& name.cmd" >/dev/null 2>&1 &
  runs="${runs:-} $!"
done
wait_until test -e name.up
: >name.go
good=0
busy=0
for run in $runs; do
  code=0
  wait "$run" || code=$?
  case $code in 0) good=$((good + 1)) ;; 75) busy=$((busy + 1)) ;; *) fail "one of eight ended with $code" ;; esac
done
[ "$(cat ran.* | wc -l)" -eq "$good" ] || fail 'one ran that was busy, or the other way round'
[ "$((good + busy))" -eq 8 ] || fail "$good ran, $busy were busy"

# A lock that is broken under a run.
waiter under
expect_code 0 "$HOLDFAST" run --detach --name under --lock M -- "$cmd" /c under.cmd
wait_until test -e under.up
expect_code 0 "$HOLDFAST" locks M --json
expect_code 0 "$HOLDFAST" break M --id "$(json_field .break_id)" --reason test
: >under.go
expect_code 76 "$HOLDFAST" wait under --timeout 60s

# Counted work.
expect_code 0 "$HOLDFAST" once k -- "$cmd" /c 'echo k>>counted'
expect_code 0 "$HOLDFAST" run --name s --iterations 1 -- "$cmd" /c 'echo s>>counted'
for session in once:k s fix-one; do
  expect_code 64 "$HOLDFAST" resume "$session" --json
  expect_json .error.cause counted-elsewhere
done
[ "$(plain counted | paste -sd' ')" = 'k s' ] || fail "counted: $(cat counted)"
expect_times 1 one run

# Secrets.
for end in 0 1; do
  line="exit $end & rem hush-line"
  for how in "run --name r$end --verify" "once k$end --verify"; do
    # shellcheck disable=SC2086
    "$HOLDFAST" $how "$line" -- "$cmd" /c "exit $end & rem hush-arg" >/dev/null 2>&1 || :
  done
  "$HOLDFAST" lock l --reason x -- "$cmd" /c "exit $end & rem hush-arg" >/dev/null 2>&1 || :
  "$HOLDFAST" write "w$end" --check "$line" -- "$cmd" /c "echo x& rem hush-arg" >/dev/null 2>&1 || :
done
if grep -rl hush "$HOLDFAST_HOME/journal" "$HOLDFAST_HOME/locks"; then fail 'a secret is on record'; fi
[ ! -e ran ] || fail 'something ran that was not to'
