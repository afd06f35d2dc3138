#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A session goes only after its rescue succeeded; one that fails or hangs keeps its session.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

ended good
ended bad
echo words >"$sessions/good/transcript"
mkdir saved
export saved="$PWD/saved"
# shellcheck disable=SC2016
expect_code 0 gc --json --rescue '[ "$HOLDFAST_WORKSPACE:$HOLDFAST_SESSION" = good:good ] && [ "$PWD:$PWD" = "$HOLDFAST_WORKSPACE_DIR:$HOLDFAST_SESSION_DIR" ] && cp transcript "$saved/"'
expect_reason removed good ended
expect_reason failed bad rescue-failed
[ "$(cat saved/transcript)" = words ] || fail 'nothing was saved'
[ -d "$sessions/bad" ] || fail 'it went without a rescue'
expect_code 0 gc --json --rescue 'sleep 60' --rescue-timeout 200ms
expect_reason failed bad rescue-failed
expect_code 0 "$HOLDFAST" journal query --type gc.failed
expect_stdout_contains rescue-failed
