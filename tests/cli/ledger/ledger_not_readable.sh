#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A ledger that may not be read is 71, never empty and never replaced.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can become another user'
command -v setpriv >/dev/null || skip 'setpriv(1) is not installed'

chmod 0755 "$scratch"
mkdir theirs "$HOLDFAST_HOME"
printf '[{"n":1}]' >theirs/h.json
chmod 0 theirs/h.json
chmod 0700 "$HOLDFAST_HOME"
chown -R 65534:65534 theirs "$HOLDFAST_HOME"
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$HOLDFAST" "$@"; }
for words in last check repair; do
  expect_code 71 as_nobody ledger "$words" theirs/h.json
  expect_stderr_contains 'Permission denied'
done
expect_code 71 as_nobody ledger append theirs/h.json --data '{"n":2}'
[ "$(cat theirs/h.json)" = '[{"n":1}]' ] || fail 'it was changed'
chmod 0600 theirs/h.json
expect_code 0 as_nobody ledger append theirs/h.json --data '{"n":2}'
