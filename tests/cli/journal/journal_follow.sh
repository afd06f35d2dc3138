#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `follow` shows what another process appends; it may start before the home exists; --limit ends it with 0,
# the time alone with 0, the time before --limit with 75.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

: >followed
timeout 60 "$HOLDFAST" journal follow -q --since 1d --type 'x.*' --where data.n!=2 --limit 2 --json >followed 2>"$stderr" &
follower=$!
append x.one '{"n":1}'
wait_for_text followed '"type":"x.one"'
append x.two '{"n":2}'
# The place where it stands is sealed, and dropped: nothing is shown twice, nothing left out.
"$HOLDFAST" journal rotate --keep 1 >/dev/null || fail 'rotate failed'
append x.three '{"n":3}'
wait "$follower" || fail "follow ended with $?"
[ "$(jq -r .type <followed | tr '\n' ' ')" = 'x.one x.three ' ] || fail "other events: $(cat followed)"
expect_no_stderr

expect_code 0 "$HOLDFAST" journal follow --timeout 0.1
expect_no_stdout
expect_code 75 "$HOLDFAST" journal follow --timeout 0.1 --limit 1 --json
expect_json .error.cause timeout
expect_code 0 "$HOLDFAST" journal follow --since 1d --type x.one --limit 1 --timeout 30
expect_stdout_contains 'n=1'
