#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --budget: no wait goes beyond it; the answer is that of the wait, with the cause `budget`.
. "$(dirname -- "$0")/../../lib/budget.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

"$HOLDFAST" lock x -- sh -c 'echo >held; exec sleep 600' &
holder=$!
trap 'kill "$holder" 2>/dev/null || :; wait "$holder" || :; remove_scratch' EXIT
tries=0
until [ -s held ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || fail 'the holder did not start'
  sleep 0.05
done

# The budget of who starts a session is not that of the session; it is looked at again when that has passed.
expect_code 0 "$HOLDFAST" run --detach --name t --budget 5s -- sleep 600
over=$(($(now_ms) + 5500))

begin
expect_code 75 "$HOLDFAST" lock x -w forever --budget 600ms --json -- touch ran
took_at_most 20000
expect_json .error.cause budget
# A wait that is shorter than the budget is what it was.
expect_code 75 "$HOLDFAST" lock x -w 100ms --budget 30s --json -- touch ran
expect_json .error.cause timeout
# No time is left to run it without the lock either.
expect_code 75 "$HOLDFAST" lock x -w 10m --budget 400ms --fail-open timeout -- touch ran
begin
expect_code 75 "$HOLDFAST" acquire x -w 10m --budget 400ms --owner $$ --json
took_at_most 20000
expect_json .error.cause budget
expect_code 75 "$HOLDFAST" run --lock x --wait 10m --budget 400ms --json -- touch ran
expect_json .error.cause budget
[ ! -e ran ] || fail 'ran without the lock'

begin
expect_code 124 "$HOLDFAST" until --timeout 10m --every 50ms --budget 500ms --json -- sh -c 'exit 1'
took_at_most 20000
expect_json .error.cause budget
"$HOLDFAST" run --detach --name s -- sleep 600
begin
expect_code 75 "$HOLDFAST" wait s --budget 400ms --json
took_at_most 20000
expect_json .error.cause budget
expect_code 75 "$HOLDFAST" journal follow --limit 1000 --budget 300ms
# Both go on.
expect_code 0 "$HOLDFAST" show s --json
expect_json .state running
left=$((over - $(now_ms)))
[ "$left" -le 0 ] || expect_code 75 "$HOLDFAST" wait t --timeout "${left}ms"
expect_code 0 "$HOLDFAST" show t --json
expect_json .state running
expect_code 0 "$HOLDFAST" stop s t --grace 1s

# For the lock of a directory, in front of a change.
mkdir busy
echo old >busy/file
flock --no-fork busy/.hf-stage-lock sh -c 'echo >locked; exec sleep 600' &
also=$!
trap 'kill "$holder" "$also" 2>/dev/null || :; wait "$holder" || :; remove_scratch' EXIT
tries=0
until [ -s locked ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || fail 'the second holder did not start'
  sleep 0.05
done
begin
expect_code 75 "$HOLDFAST" write busy/file --wait 10m --budget 1500ms --json -- echo new
took_at_most 20000
expect_json .error.cause budget
[ "$(cat busy/file)" = old ] || fail 'written without the lock of the directory'
kill "$also"
wait "$also" || :

# As a hook: 2, well before the host loses its patience.
begin
expect_code 2 "$HOLDFAST" lock x -w 10m --hook --budget 600ms -- touch ran
took_at_most 20000
expect_code 0 "$HOLDFAST" lock x -w 10m --hook-allow busy --budget 600ms -- touch ran
[ ! -e ran ] || fail 'ran without the lock'

expect_code 64 "$HOLDFAST" lock x --budget 0 -- true
expect_code 64 "$HOLDFAST" lock x --budget soon -- true
expect_code 64 "$HOLDFAST" run --name u --iterations 2 --budget 5s -- true
printf '[loop]\nsource = ["true"]\nrun = ["true"]\n' >loop.toml
expect_code 64 "$HOLDFAST" loop loop.toml --once --budget 5s
expect_stderr_contains '--budget'
