#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A journal that this user may not read is 71, never empty.
# label: system
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can become another user'
command -v setpriv >/dev/null || skip 'setpriv(1) is not installed'

append x.one
chmod 0755 "$scratch"
chown -R 65534:65534 "$HOLDFAST_HOME"
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$HOLDFAST" "$@"; }
expect_code 0 as_nobody journal count --type x.one
expect_stdout_is 1
chown 0:0 "$(segment)"
for words in 'journal count' 'journal query' 'journal verify' 'metrics'; do
  # shellcheck disable=SC2086 # several words on purpose
  expect_code 71 as_nobody $words
  expect_stderr_contains 'Permission denied'
done
