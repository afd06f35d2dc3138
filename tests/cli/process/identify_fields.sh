#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# identify prints one line with everything that tells a process apart; --json has the same fields.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

run=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
HOLDFAST_RUN=$run
export HOLDFAST_RUN
start sleep-forever
unset HOLDFAST_RUN
expect_code 0 "$HOLDFAST" identify "$pid"
expect_no_stderr
[ "$(wc -l <"$stdout")" -eq 1 ] || fail 'it is not one line'
cp "$stdout" line
expect_json '[keys_unsorted[]] | join(" ")' 'v boot machine pidns timens pid start pidfs uid run'
expect_json .v 1
expect_json .pid "$pid"
expect_json .uid "$(id -u)"
expect_json .run "$run"
expect_json .boot "$(tr -d - </proc/sys/kernel/random/boot_id)"
expect_json .pidns "$(readlink /proc/self/ns/pid | tr -dc 0-9)"
expect_json .start "$(sed 's/.*) //' "/proc/$pid/stat" | cut -d ' ' -f 20)"
expect_json '[.pidns, .timens, .pid, .start, .pidfs, .uid] | all(type == "number")' true
expect_code 0 "$HOLDFAST" identify "$pid" --json
expect_json .ok true
[ "$(jq -c 'del(.ok, .code)' <"$stdout")" = "$(jq -c . <line)" ] || fail '--json says something else'
end "$pid"

expect_code 66 "$HOLDFAST" identify "$pid"
expect_code 0 "$HOLDFAST" identify $$
expect_json .run null
for typed in 0 -1 12x 1.5 99999999999 '' self2; do expect_code 64 "$HOLDFAST" identify "$typed"; done
