#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import asks the journal what was taken over before. Where a part of that cannot be read, it cannot tell, and takes
# over nothing.
. "$(dirname -- "$0")/journal.inc"
. "$(dirname -- "$0")/lib.sh"

mkdir locks dirs dirs/.claude-container-ab12
: >locks/.free.lock
echo '[{"a":1}]' >old.json
echo '{"type":"pending-ci","issue":8}' >state.json
expect_code 0 "$HOLDFAST" import sidecars locks --apply
sed -i 's/"reason":"free"/"reason":"fred"/' "$(segment)"
expect_code 65 "$HOLDFAST" journal verify

for what in 'sidecars locks' 'agent-state state.json' 'sessions dirs' 'ledger old.json --to new.json'; do
  # shellcheck disable=SC2086
  expect_code 69 "$HOLDFAST" import $what --apply --json
  expect_json .error.cause damaged
done
[ ! -e new.json ] || fail 'a ledger was made'
expect_code 0 "$HOLDFAST" session list --json
expect_json '.sessions | length' 0
