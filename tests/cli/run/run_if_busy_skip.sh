#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --if-busy skip: while the name or a lock is taken, the run is left out with 0; on record first, and silent under -q.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo go
expect_code 6 "$HOLDFAST" run --name sync --if-busy skip -- sh -c 'exit 6'
"$HOLDFAST" run --detach --name sync -- sh -c 'read -r _ <go' >/dev/null
expect_code 0 "$HOLDFAST" run -q --name sync --if-busy skip -- touch second
expect_no_stdout
expect_no_stderr
expect_code 0 "$HOLDFAST" run -q --detach --name sync --if-busy skip -- touch second
expect_no_stdout
expect_no_stderr
expect_code 0 "$HOLDFAST" run --name sync --if-busy skip -- touch second
expect_stderr_contains "skipped: session 'sync' is busy (it runs as process $(record sync .command.pid))"
expect_code 0 "$HOLDFAST" run --json --name sync --if-busy skip -- touch second
expect_json .ok true
expect_json .skipped true
[ "$(jq -r .state "$stdout")" = null ] || fail 'a run that was skipped has a state'
expect_code 0 "$HOLDFAST" journal count --type session.skipped
expect_stdout_is 4
expect_code 75 "$HOLDFAST" run --name sync --if-busy fail -- touch second
expect_code 0 sh -c '"$HOLDFAST" run -q --name sync --if-busy skip --status-fd 3 -- true 3>line'
[ "$(jq -r '.by + .reason + (.code | tostring)' line)" = holdfastskipped0 ] || fail "$(cat line)"

# What cannot be recorded is not skipped in silence.
mv "$HOLDFAST_HOME/journal" "$HOLDFAST_HOME/away"
: >"$HOLDFAST_HOME/journal"
expect_code 75 "$HOLDFAST" run -q --name sync --if-busy skip -- touch second
expect_stderr_contains 'not skipped, because that could not be recorded'
rm "$HOLDFAST_HOME/journal"
mv "$HOLDFAST_HOME/away" "$HOLDFAST_HOME/journal"
echo >go
wait_for_end sync

# A lock: it is not waited for.
T=$("$HOLDFAST" acquire deploy --owner $$)
expect_code 0 "$HOLDFAST" run --name sync --lock deploy --if-busy skip -- touch second
expect_stderr_contains "skipped: lock 'deploy' is busy"
expect_code 0 "$HOLDFAST" run -q --lock deploy --if-busy skip -- touch second
expect_no_stderr
expect_code 0 "$HOLDFAST" journal query --type lock.skipped --json
[ "$(jq -r .data.lock "$stdout")" = deploy ] || fail 'the lock is not on record'
expect_code 0 "$HOLDFAST" release deploy --token "$T"
expect_code 0 "$HOLDFAST" run --name sync --lock deploy --if-busy skip -- touch first
[ -e first ] || fail 'a free lock was skipped'

# Whether the last run is over cannot be told: that is not busy.
orphan() {
  "$HOLDFAST" run --detach --name orphan -- sleep 600 >/dev/null
  kill -s KILL "$(record orphan .supervisor.pid)"
  "$HOLDFAST" wait orphan --until orphaned --timeout 10s >/dev/null
}
orphan
expect_code 69 "$HOLDFAST" run --name orphan --if-busy skip -- touch second
"$HOLDFAST" stop orphan >/dev/null 2>&1 || "$HOLDFAST" stop orphan --assume-gone --reason test
expect_code 64 "$HOLDFAST" run --if-busy skip -- true
expect_code 64 "$HOLDFAST" run --name x --if-busy skip --wait 1s -- true
[ ! -e second ] || fail 'two at a time'

# What is skipped has not failed: no notice, no failure in the streak, and `wait` agrees.
"$HOLDFAST" run --name told --once-per-streak --on-failure 'echo mail >>mails' -- false || :
T=$("$HOLDFAST" acquire deploy --owner $$)
expect_code 0 "$HOLDFAST" run -q --name told --lock deploy --if-busy skip --on-failure 'echo mail >>mails' -- touch second
expect_record told .reason skipped
expect_code 0 "$HOLDFAST" wait told
[ "$(wc -l <mails)" -eq 1 ] || fail 'a run that was skipped was told as a failure'
[ ! -e second ] || fail 'it ran'
