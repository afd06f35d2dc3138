#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An unfinished series is kept by a clean-up, until somebody removes its `series.json`: then its run goes like any other.
. "$(dirname -- "$0")/../lib/series.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

expect_code 69 "$HOLDFAST" run --name s --iterations 3 --until '[ ! -e ran ] || exit 69; exit 1' -- touch ran
expect_code 0 gc --runs --json
expect_reason kept s series
rm "$HOLDFAST_HOME/sessions/s/series.json"
expect_code 0 gc --runs --json
expect_reason removed s run-ended
