#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One thing of another type, one link (dangling too) or one missing parent, and nothing is made.
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir real
ln -s real link
ln -s nowhere dangling
echo keep >file
mkfifo pipe
expect_code 77 "$HOLDFAST" ensure --file a --file real --mode 0644
expect_stdout_contains "refused $PWD/real: it is a directory"
expect_code 77 "$HOLDFAST" ensure --dir a --dir file
expect_code 77 "$HOLDFAST" ensure --file a --file pipe
expect_code 77 "$HOLDFAST" ensure --file a --file link/inside
expect_stderr_contains "$PWD/link"
expect_code 77 "$HOLDFAST" ensure --dir a --dir dangling --json
expect_json .error.cause is-link
expect_json '.wrong[0].path' "$PWD/dangling"
expect_json '.created | length' 0
expect_code 77 "$HOLDFAST" ensure --file a --file dangling/x --parents
expect_code 77 "$HOLDFAST" ensure --file a --file file/x --parents
expect_code 66 "$HOLDFAST" ensure --file a --file no/such/x --json
expect_json .error.cause parent-missing
[ ! -e a ] || fail 'something was made'
[ ! -e nowhere ] || fail 'a dangling link was followed'
[ -z "$(ls real)" ] || fail 'a link was followed'
[ "$(cat file)" = keep ] || fail 'the file was touched'
expect_code 0 "$HOLDFAST" journal count --type file.refused --where data.reason=is-link
expect_stdout_is 3
