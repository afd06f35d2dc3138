#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `history` lists the runs of a name, the newest first, with start, duration, code and reason; what cannot be read hides
# no other run, and the list is bounded.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 66 "$HOLDFAST" history x
for n in 0 3 4; do
  expect_code "$n" "$HOLDFAST" run --name x -- sh -c "exit $n"
done
expect_code 124 "$HOLDFAST" run --name x --timeout 0.1 -- sleep 600
expect_code 127 "$HOLDFAST" run --name x -- ./no-such-program
expect_code 0 "$HOLDFAST" history x --json
expect_json '[.runs[].number] | map(tostring) | join(" ")' '5 4 3 2 1'
expect_json '[.runs[].code] | map(tostring) | join(" ")' '127 124 4 3 0'
expect_json '[.runs[].reason] | join(" ")' 'not-found deadline exited exited exited'
expect_json '[.runs[] | .elapsed_ms != null] | map(tostring) | join(" ")' 'false true true true true'
expect_json .name x
expect_code 0 "$HOLDFAST" history x --last 2
[ "$(awk '{ print $1, $2 }' "$stdout" | tr '\n' ',')" = 'RUN STATE,5 failed,4 timed_out,' ] || fail 'the table'
expect_stdout_contains deadline

# One that is under way is the first.
expect_code 0 "$HOLDFAST" run --detach --name x -- sleep 600
expect_code 0 "$HOLDFAST" history x --json --last 1
expect_json '.runs[0].state' running
expect_json '.runs[0].code' null
expect_code 0 "$HOLDFAST" stop x
"$HOLDFAST" wait x || :

# Damage is said, and the rest is shown.
session=$HOLDFAST_HOME/sessions/x
echo '{' >"$session/runs/2/session.json"
expect_code 65 "$HOLDFAST" history x --json
expect_json '[.runs[] | select(.error) | .number] | map(tostring) | join(" ")' 2
expect_json '.runs | length' 6
echo '{' >"$session/session.json"
expect_code 65 "$HOLDFAST" history x --json
expect_json '[.runs[] | select(.code != null) | .number] | map(tostring) | join(" ")' '5 4 3 1'

# Bounded: of more runs than are kept the oldest are gone, which is said.
n=0
while [ "$n" -lt 12 ]; do
  "$HOLDFAST" run --name y -- true
  n=$((n + 1))
done
expect_code 0 "$HOLDFAST" history y
[ "$(wc -l <"$stdout")" -eq 12 ] || fail 'not the newest and ten before it'
expect_stderr_contains 'earlier runs are not kept'
