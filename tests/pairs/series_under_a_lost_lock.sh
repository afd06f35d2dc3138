#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock of `--lock` that is taken away during an iteration: that iteration is not vouched for, and the series goes on.
. "$(dirname -- "$0")/../lib/series.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

make_gate
"$HOLDFAST" run --name s --iterations 2 --lock L --json -- ./gated >"$scratch/series.json" 2>/dev/null &
driver=$!
wait_up
id=$("$HOLDFAST" locks L --json | jq -r .break_id)
expect_code 0 "$HOLDFAST" break L --id "$id" --reason test
expect_code 0 "$HOLDFAST" lock L -- true
open_gate 0
wait_up
expect_code 75 "$HOLDFAST" lock -n L -- true
expect_series s .errors 1
open_gate 0
wait "$driver" || :
cp "$scratch/series.json" "$stdout"
expect_json '[.done, (.history | map("\(.n) \(.state)") | join(","))] | join(" ")' '2 1 unverified,2 exited'
