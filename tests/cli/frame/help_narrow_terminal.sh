#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Help follows the width of the terminal down to 40 columns; lines of code are not cut.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v script >/dev/null || skip 'script(1) is not installed'
export HOLDFAST TERM=dumb

widest() { tr -d '\r' <"$stdout" | awk '{ if (length($0) > w) w = length($0) } END { print w }'; }
at_columns() {
  script -qec "stty cols $1; \"\$HOLDFAST\" help exit-codes" /dev/null </dev/null >"$stdout" 2>&1 ||
    fail 'script failed'
  expect_stdout_contains 'holdfast exit-codes'
}

at_columns 40
[ "$(widest)" -le 40 ] || fail "$(widest) columns on a terminal of 40"
at_columns 60
[ "$(widest)" -le 60 ] || fail "$(widest) columns on a terminal of 60"
[ "$(widest)" -gt 40 ] || fail 'the width is not used'
at_columns 200
[ "$(widest)" -le 80 ] || fail "$(widest) columns on a wide terminal"
expect_code 0 "$HOLDFAST" help exit-codes
[ "$(widest)" -le 80 ] || fail "$(widest) columns in a file"
