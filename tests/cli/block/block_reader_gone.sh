#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `block get | head` ends quietly, also with a block of megabytes.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

yes 'a line of text' | head -c 4000000 >content
: >f
put f --id big --from content
"$HOLDFAST" block get f --id big 2>"$stderr" | head -n 1 >"$stdout"
expect_stdout_is 'a line of text'
expect_no_stderr
expect_code 0 "$HOLDFAST" block get f --id big
# The last line of the content was cut, and is a whole line now.
[ "$(tail -c 1 content | od -An -c | tr -d ' ')" = '\n' ] || echo >>content
cmp -s "$stdout" content || fail 'the content is not what was put'
