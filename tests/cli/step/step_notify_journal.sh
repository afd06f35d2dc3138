#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A notice that is held back, because the same was sent before or one waits after a failure, is in the journal.
. "$(dirname -- "$0")/../../lib/lib.sh"

say() { echo text | "$HOLDFAST" notify "$1" -- sh -c "$2"; }
events() { "$HOLDFAST" journal query --type step.suppressed --where "data.key=$1" --json | jq -r .data.reason | paste -sd' '; }
expect_code 0 say sent true
[ -z "$(events sent)" ] || fail 'it was sent, and is said to be held back'
expect_code 0 say sent true
expect_code 0 say sent true
[ "$(events sent)" = 'suppressed suppressed' ] || fail "events: $(events sent)"
expect_code 3 say failed 'exit 3'
expect_code 75 say failed true
[ "$(events failed)" = wait ] || fail "events: $(events failed)"
