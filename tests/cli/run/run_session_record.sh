#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A session is on record from its reservation to its end: state, exit code or signal, log, private modes; the record
# and the log of the run before are kept; the command is told who it is.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 7 "$HOLDFAST" run --name one -- sh -c 'echo said; echo erred >&2; exit 7'
expect_stdout_is said
expect_stderr_contains erred
expect_record one .state exited
expect_record one .exit_code 7
expect_record one .number 1
expect_record one '.order.command | length' 3
dir=$HOLDFAST_HOME/sessions/one
[ "$(stat -c %a "$dir" "$dir/session.json" "$dir/out.log" | tr '\n' ' ')" = '700 600 600 ' ] || fail 'not private'
[ "$(sort "$dir/out.log")" = "$(printf 'erred\nsaid')" ] || fail 'the log is not what was printed'
[ ! -e "$dir/control" ] || fail 'a session that is over listens'

expect_code 143 "$HOLDFAST" run --name one -- sh -c 'kill $$'
expect_record one .state killed
expect_record one .signal 15
expect_record one .number 2
[ "$(jq -r .exit_code "$dir/runs/1/session.json")" = 7 ] || fail 'the first run is not kept'
[ "$(wc -l <"$dir/runs/1/out.log")" -eq 2 ] || fail 'its log is not kept'

# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" run --name 'a b/c' --env X=1 -- sh -c 'echo "$HOLDFAST_SESSION|$HOLDFAST_SESSION_DIR|$HOLDFAST_RUN|$X"'
run=$(jq -r .run "$HOLDFAST_HOME/sessions/a%20b%2Fc/session.json")
expect_stdout_is "a b/c|$HOLDFAST_HOME/sessions/a%20b%2Fc|$run|1"

expect_code 127 "$HOLDFAST" run --name gone -- ./no-such-program
expect_record gone .state failed
expect_code 126 "$HOLDFAST" run --name gone -- /etc/passwd
expect_record gone .state failed

expect_code 0 "$HOLDFAST" run --name j --json -- echo to-stderr
expect_json .name j
expect_json .state exited
expect_json .log "$HOLDFAST_HOME/sessions/j/out.log"
expect_stderr_contains to-stderr
expect_code 64 "$HOLDFAST" run --name '' -- true
expect_code 64 "$HOLDFAST" run --log-max 1M -- true
