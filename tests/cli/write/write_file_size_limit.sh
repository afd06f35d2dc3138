#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file that would grow beyond the caller's limit is 74, not a death by signal; the old file stays.
. "$(dirname -- "$0")/../../lib/lib.sh"

echo old >file
head -c 1048576 /dev/zero >big
expect_code 74 sh -c 'ulimit -f 64; exec "$HOLDFAST" write file --from big'
expect_stderr_contains 'cannot write the new content of file: File too large; nothing was changed'
[ "$(cat file)" = old ] || fail 'the old file was changed'
[ "$(ls -A)" = "$(printf 'big\nfile')" ] || fail 'something was left'
# The command gets the default action back: it is told as usual.
expect_code 65 "$HOLDFAST" --json write file -- sh -c 'ulimit -f 1; exec head -c 1048576 /dev/zero >too-big'
expect_json '.producer[0].signal' 25
