#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sessions of `holdfast run` are looked at only with --runs, and go only when they are over.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

expect_code 0 "$HOLDFAST" run --name over -- true
expect_code 0 "$HOLDFAST" run --name lives --detach -- sleep 60
trap '"$HOLDFAST" stop lives >/dev/null 2>&1 || :; remove_scratch' EXIT
"$HOLDFAST" wait lives --until running >/dev/null
expect_code 0 gc --json
[ "$(jq '[.removed, .kept, .unknown] | add | length' <"$stdout")" = 0 ] || fail 'a run was looked at'
expect_code 0 gc --runs --json
expect_reason removed over run-ended
expect_reason kept lives runs
[ -d "$sessions/lives" ] || fail 'a live run went'
expect_code 66 "$HOLDFAST" show over
expect_code 0 "$HOLDFAST" trash restore over
expect_code 0 "$HOLDFAST" show over
