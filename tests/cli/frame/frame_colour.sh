#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Colour only on a terminal that wants it: not in a pipe, not with NO_COLOR, not on a dumb terminal.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v script >/dev/null || skip 'script(1) is not installed'
export HOLDFAST
escape=$(printf '\033')

on_terminal() { script -qec "$1" /dev/null </dev/null >"$stdout" 2>&1; }

# shellcheck disable=SC2016 # the inner shell expands it
line='"$HOLDFAST" hlep; "$HOLDFAST" help'
TERM=xterm on_terminal "$line" || fail 'script failed'
grep -q "$escape" "$stdout" || fail 'no colour on a terminal'
NO_COLOR=1 TERM=xterm on_terminal "$line" || fail 'script failed'
! grep -q "$escape" "$stdout" || fail 'colour in spite of NO_COLOR'
TERM=dumb on_terminal "$line" || fail 'script failed'
! grep -q "$escape" "$stdout" || fail 'colour on a dumb terminal'

TERM=xterm expect_code 64 "$HOLDFAST" hlep
! grep -q "$escape" "$stderr" || fail 'colour in a file'
