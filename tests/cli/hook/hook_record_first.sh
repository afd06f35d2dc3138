#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --hook: a start is on record before anything is done, so that a hook which its host has killed leaves a trace.
. "$(dirname -- "$0")/../../lib/lib.sh"

count() { "$HOLDFAST" journal count --type "$1"; }

# The start is there while the command runs, before it has done anything.
expect_code 0 "$HOLDFAST" lock x --hook --budget 30s -- \
  sh -c "\"$HOLDFAST\" journal query --type 'hook.*' --json >seen"
[ "$(jq -r .type seen)" = hook.started ] || fail "$(cat seen)"
[ "$(jq -r '[.data.command, .data.budget_ms] | join("|")' seen)" = 'lock|30000' ] || fail "$(cat seen)"
expect_code 0 "$HOLDFAST" journal query --type hook.ended --json
[ "$(jq -r '[.data.command, .data.code, .data.status, .data.by] | join("|")' <"$stdout")" = 'lock|0|0|command' ] ||
  fail 'the end is not on record'
[ "$(jq -r .data.id seen)" = "$(jq -r .data.id <"$stdout")" ] || fail 'start and end do not belong together'

# Killed in the middle.
"$HOLDFAST" lock x --hook -- sh -c 'echo $$ >work; exec sleep 60' &
hook=$!
tries=0
until [ -s work ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || fail 'the command did not start'
  sleep 0.05
done
kill -KILL "$hook"
wait "$hook" || :
kill -KILL "$(cat work)"
[ "$(count hook.started)" -eq 2 ] || fail 'no trace of the killed hook'
[ "$(count hook.ended)" -eq 1 ] || fail 'a killed hook has an end'

# What blocks says why on record.
expect_code 2 "$HOLDFAST" run --hook -- ./not-there
expect_code 0 "$HOLDFAST" journal query --type hook.ended --json
[ "$(tail -n 1 "$stdout" | jq -r '[.data.code, .data.status, .data.by] | join("|")')" = '127|2|holdfast' ] ||
  fail 'what blocked is not on record'

# Without --hook nothing of this is written.
expect_code 0 "$HOLDFAST" lock x -- true
[ "$(count hook.started)" -eq 3 ] || fail 'a command that is no hook was recorded as one'
