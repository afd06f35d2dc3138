#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A closed stdout is reported (74); a closed stderr or stdin changes no answer.
. "$(dirname -- "$0")/../../lib/lib.sh"

code=0
"$HOLDFAST" --version >&- 2>"$stderr" || code=$?
[ "$code" -eq 74 ] || fail "exit code $code, not 74, with stdout closed"
expect_stderr_contains 'cannot write to stdout'

code=0
"$HOLDFAST" hlep 2>&- >"$stdout" || code=$?
[ "$code" -eq 64 ] || fail "exit code $code, not 64, with stderr closed"
expect_no_stdout

code=0
"$HOLDFAST" --version <&- >"$stdout" 2>"$stderr" || code=$?
[ "$code" -eq 0 ] || fail "exit code $code, not 0, with stdin closed"

code=0
"$HOLDFAST" help <&- >&- 2>&- || code=$?
[ "$code" -eq 74 ] || fail "exit code $code, not 74, with everything closed"
