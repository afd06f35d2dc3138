#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without the lock a command runs only for a reason that was named, with the event on record before; where it cannot
# be recorded the command does not run.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
opened() { "$HOLDFAST" journal count --type lock.fail_open; }

hold x
expect_code 75 "$HOLDFAST" lock -n x --fail-open enospc,erofs -- touch ran
[ ! -e ran ] || fail 'ran for another reason'
# shellcheck disable=SC2016
expect_code 5 "$HOLDFAST" lock -n x --fail-open enospc,timeout -- sh -c \
  'echo "$HOLDFAST_HELD ${HOLDFAST_TOKEN-none} ${HOLDFAST_LOCK-none} ${HOLDFAST_CHAIN-none} $("$0" journal count --type lock.fail_open)"; exit 5' "$HOLDFAST"
expect_stdout_is '0 none none none 1'
expect_stderr_contains 'WITHOUT the lock'
expect_code 0 "$HOLDFAST" lock -n x --fail-open timeout --json -- true
expect_json '[.held, .open_reason, .code] | join(" ")' 'false timeout 0'
"$HOLDFAST" journal query --type lock.fail_open --json >events
[ "$(jq -r '.data | "\(.lock) \(.reason) \(.holder.pid)"' events | sort -u)" = "x timeout $work" ] || fail "$(cat events)"

# The journal cannot take it: closed, with both causes.
mv "$HOLDFAST_HOME/journal" away
: >"$HOLDFAST_HOME/journal"
expect_code 75 "$HOLDFAST" lock -n x --fail-open timeout -- touch ran
expect_stderr_contains "pid $work"
expect_stderr_contains 'could not be recorded'
[ ! -e ran ] || fail 'ran without the lock and without a record'
rm "$HOLDFAST_HOME/journal"
mv away "$HOLDFAST_HOME/journal"
let_go
[ "$(opened)" -eq 2 ] || fail "on record $(opened) times"

for word in all busy '' 'timeout,'; do
  expect_code 64 "$HOLDFAST" lock x --fail-open "$word" -- touch ran
done
[ ! -e ran ] || fail 'ran'
