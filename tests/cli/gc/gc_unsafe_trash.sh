#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A trash that is a link, or open to others, is not used, and nothing goes.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

ended one
mkdir elsewhere
ln -s "$PWD/elsewhere" "$sessions/.holdfast-trash"
expect_code 0 gc --json
expect_stderr_contains 'trash'
expect_reason failed one trash-unsafe
[ -d "$sessions/one" ] || fail 'it went through a link'
rm "$sessions/.holdfast-trash"
mkdir -m 755 "$sessions/.holdfast-trash"
expect_code 0 gc --json
expect_reason failed one trash-unsafe
[ -d "$sessions/one" ] || fail 'it went to an open trash'

# Beside a directory outside, it is that entry's failure alone.
chmod 700 "$sessions/.holdfast-trash"
ended out --dir "$PWD/out"
mkdir -m 777 .holdfast-trash
expect_code 0 gc --json
expect_reason removed one ended
expect_reason failed out trash-unsafe
[ -d out ] || fail 'the directory went'
