#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --color auto|always|never decides over terminal, NO_COLOR and TERM, for answers and for errors; what belongs to the
# user's command does not count.
. "$(dirname -- "$0")/../../lib/lib.sh"
escape=$(printf '\033')

NO_COLOR=1 TERM=dumb expect_code 0 "$HOLDFAST" help --color always
grep -q "$escape" "$stdout" || fail 'no color with --color always'
expect_code 64 "$HOLDFAST" --color=always hlep
grep -q "$escape" "$stderr" || fail 'no color of an error with --color=always'
expect_code 0 "$HOLDFAST" help --color auto
! grep -q "$escape" "$stdout" || fail 'color in a file'
expect_code 64 "$HOLDFAST" help --color sometimes
expect_stderr_contains 'auto|always|never'
expect_code 0 "$HOLDFAST" lock a -- echo --color=always
expect_code 127 "$HOLDFAST" lock a -- ./no-such-program --color always
! grep -q "$escape" "$stderr" || fail 'the option of the command was taken'

command -v script >/dev/null || skip 'script(1) is not installed'
export HOLDFAST
# shellcheck disable=SC2016
TERM=xterm script -qec '"$HOLDFAST" help --color never; "$HOLDFAST" --color never hlep' /dev/null </dev/null >"$stdout" 2>&1 || :
expect_stdout_contains 'did you mean help?'
! grep -q "$escape" "$stdout" || fail 'color with --color never'
