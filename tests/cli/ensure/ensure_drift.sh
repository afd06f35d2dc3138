#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Another mode of an existing path is drift: told, on record, 66 (or 0 with --drift warn), and left as
# it is unless it is pinned; what is missing is made all the same.
. "$(dirname -- "$0")/../../lib/lib.sh"

echo text >file
chmod 600 file
expect_code 66 "$HOLDFAST" ensure --file file --file new --mode 0644
expect_stdout_contains "created $PWD/new"
expect_stdout_contains "drift $PWD/file: mode 0600, declared 0644"
[ "$(stat -c %a file)" = 600 ] || fail 'the mode was changed'
expect_code 0 "$HOLDFAST" ensure --file file --mode 0644 --drift warn --json
expect_json '.drift[0] | .field, .found, .declared' "$(printf 'mode\n0600\n0644')"
expect_stderr_contains 'another mode or owner'
expect_code 0 "$HOLDFAST" journal count --type ensure.drift --where data.found=0600
expect_stdout_is 2
expect_code 0 "$HOLDFAST" ensure --file file
expect_no_stdout
expect_code 0 "$HOLDFAST" ensure --file file --mode 0644 --pin --json
expect_json '.pinned | length' 1
[ "$(stat -c %a file)" = 644 ] || fail 'not pinned'
[ "$(cat file)" = text ] || fail 'the content changed'
ln file other
chmod 600 file
expect_code 77 "$HOLDFAST" ensure --file file --mode 0644 --pin --json
expect_json .error.cause hard-linked
