#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --on-failure runs after each end that is a failure, --on-success after exit 0, neither after `stop`; --on-end after all
# that began. Each is told the name, the state, the exit code of `run`, the reason and the log.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# shellcheck disable=SC2016  # for the shell of the option
say='echo "$HOLDFAST_NAME $HOLDFAST_STATE $HOLDFAST_CODE $HOLDFAST_REASON $HOLDFAST_LOG" >>'
# told CODE WHAT ARGUMENTS…: a run that exits with CODE, after which exactly the lines WHAT are there
told() {
  code=$1 what=$2
  shift 2
  rm -f told
  expect_code "$code" env HOLDFAST_LOG=theirs HOLDFAST_NAME=theirs HOLDFAST_CODE=9 "$HOLDFAST" run \
    --on-failure "printf 'failure ' >>told; $say told" --on-success "printf 'success ' >>told; $say told" \
    --on-end "printf 'end ' >>told; $say told" "$@"
  [ "$(cat told 2>/dev/null || :)" = "$what" ] || fail "told: $(cat told 2>/dev/null || :)"
}
log=$HOLDFAST_HOME/sessions/a/out.log
told 0 "success a exited 0 exited $log
end a exited 0 exited $log" --name a -- true
told 3 "failure a exited 3 exited $log
end a exited 3 exited $log" --name a -- sh -c 'exit 3'
told 124 "failure a timed_out 124 deadline $log
end a timed_out 124 deadline $log" --name a --timeout 0.1 -- sleep 600
told 76 "failure a unverified 76 refuted $log
end a unverified 76 refuted $log" --name a --verify false -- true
told 137 "failure a killed 137 signal $log
end a killed 137 signal $log" --name a -- sh -c 'kill -9 $$'
told 3 'failure a exited 3 exited 
end a exited 3 exited ' --name a --no-log -- sh -c 'exit 3'
# A start that failed is a failure too; where the command was not even tried, nothing has ended.
told 127 "failure a failed 127 not-found $log
end a failed 127 not-found $log" --name a -- ./no-such-program
"$HOLDFAST" lock repo -- sleep 600 </dev/null >/dev/null 2>&1 &
holder=$!
until "$HOLDFAST" locks repo | grep -q held; do :; done
told 75 'failure a failed 75 busy ' --name a --lock repo --wait 0 -- true
kill "$holder"
# Without a name, too.
told 3 'failure  exited 3 exited 
end  exited 3 exited ' -- sh -c 'exit 3'
told 127 'failure  failed 127 not-found 
end  failed 127 not-found ' -- ./no-such-program

# Whoever finds the name taken has no run, and tells nothing; what was stopped is neither.
rm -f told
expect_code 0 "$HOLDFAST" run --detach --name b --on-failure 'echo failure >>told' --on-success 'echo success >>told' \
  --on-end 'echo end >>told' -- sh -c 'trap "exit 0" TERM; echo >up; while :; do sleep 0.05; done'
until [ -s up ]; do :; done
expect_code 75 "$HOLDFAST" run --name b --on-failure 'echo busy >>told' -- true
expect_code 0 "$HOLDFAST" stop b
expect_code 0 "$HOLDFAST" run --name b -- true  # waits for --on-end
[ "$(cat told)" = end ] || fail "told: $(cat told)"

# One that fails itself is on record, and changes no answer.
expect_code 3 "$HOLDFAST" run --name c --on-failure 'exit 9' -- sh -c 'exit 3'
expect_code 0 "$HOLDFAST" journal query --type session.on_end_failed --where data.name=c
expect_stdout_contains 'the command of --on-failure exited with 9'
