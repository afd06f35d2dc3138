#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names with newlines, quotes and control bytes are made as they are, and shown escaped.
. "$(dirname -- "$0")/../../lib/lib.sh"

odd=$(printf 'a\nb"'\''$(touch pwned)\033[2J')
expect_code 0 "$HOLDFAST" ensure --dir "$odd" --file "$odd/f $odd" --mode 0700
[ -f "$odd/f $odd" ] || fail 'not made'
[ "$(wc -l <"$stdout")" -eq 2 ] || fail 'a newline forged a line'
expect_stdout_contains '\x0a'
[ ! -e pwned ] || fail 'the name was executed'
expect_code 0 "$HOLDFAST" ensure --dir "$odd" --mode 0700 --json
expect_json .present 1
