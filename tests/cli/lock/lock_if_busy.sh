#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lock --if-busy: `skip` does not wait, exits with 0 and is on record first; `fail` and `wait` are 75 at the end of -w.
. "$(dirname -- "$0")/../../lib/lib.sh"

T=$("$HOLDFAST" acquire deploy --owner $$)
expect_code 0 "$HOLDFAST" lock -q deploy --if-busy skip -- touch second
expect_no_stdout
expect_no_stderr
expect_code 0 "$HOLDFAST" lock deploy --if-busy skip -w 50ms -- touch second
expect_stderr_contains "skipped: lock 'deploy' is busy (it is held by pid $$"
expect_code 0 "$HOLDFAST" lock --json deploy --if-busy skip -- touch second
expect_json .ok true
expect_json .skipped true
expect_json .held false
expect_json .holder.pid $$
expect_code 0 "$HOLDFAST" journal count --type lock.skipped
expect_stdout_is 3
for how in fail wait; do
  expect_code 75 "$HOLDFAST" lock deploy --if-busy $how -w 50ms -- touch second
  expect_stderr_contains "held by pid $$"
done
expect_code 64 "$HOLDFAST" lock deploy --if-busy replace -- touch second

# Skipping is not failing open, and a damaged record is not busy.
expect_code 0 "$HOLDFAST" release deploy --token "$T"
expect_code 7 "$HOLDFAST" lock deploy --if-busy skip -- sh -c 'exit 7'
printf 'no record' >"$HOLDFAST_HOME/locks/deploy.lock"
expect_code 65 "$HOLDFAST" lock deploy --if-busy skip -- touch second

# What cannot be recorded is not skipped.
"$HOLDFAST" acquire other --owner $$ >/dev/null
mv "$HOLDFAST_HOME/journal" "$HOLDFAST_HOME/away"
: >"$HOLDFAST_HOME/journal"
expect_code 75 "$HOLDFAST" lock -q other --if-busy skip -- touch second
expect_stderr_contains 'it is not skipped'
[ ! -e second ] || fail 'it ran without the lock'
