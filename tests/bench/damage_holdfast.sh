#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The damage scoreboard's quick run, for holdfast alone: under every fault it is intact, or stale but valid.
# label: system
. "$(dirname -- "$0")/damage.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
need_faults
expect_code 0 "$scoreboard" --quick --contestant holdfast --strict --json result
[ "$(jq '[.faults[].cells[]] | length' <result)" -eq 12 ] || fail 'not one cell for each of the twelve faults'
