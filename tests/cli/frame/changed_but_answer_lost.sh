#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that changed something and cannot print its answer (74) says that the change stands; one that was refused
# does not claim it.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ -w /dev/full ] || skip 'no /dev/full'

printf 'old\n' >f
printf 'new\n' >new
for change in 'write f --from new' 'update f -- tr a-z A-Z' 'block put f --id x --style hash --from new' \
  'ledger append l.json -d {}' 'ensure --file made' 'workspace new s' 'acquire x --owner none --ttl 1h'; do
  code=0
  # shellcheck disable=SC2086 # several words on purpose
  "$HOLDFAST" --json $change >/dev/full 2>"$stderr" || code=$?
  [ "$code" -eq 74 ] || fail "exit code $code, not 74: $change"
  expect_stderr_contains 'what was done stands'
done
grep -q NEW f || fail 'f was not changed'
for made in l.json made; do [ -e "$made" ] || fail "$made was not made"; done
code=0
"$HOLDFAST" --json write f --if-hash absent --from new >/dev/full 2>"$stderr" || code=$?
[ "$code" -eq 74 ] || fail "exit code $code, not 74: a refused write"
! grep -q 'stands' "$stderr" || fail 'it claims a change that was not made'
