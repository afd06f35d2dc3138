#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `layers --exec` runs the command with the whole list and ends with its code; `--verify` tells a list that is intact
# from one that is not, and from not knowing.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

: >base.yml
: >hardening.yml
printf '[[layer]]\nname = "all"\nargs = ["base.yml", "hardening.yml"]\n' >plan.toml
expect_code 69 "$HOLDFAST" layers --verify -- -f base.yml
cat >show.cmd <<'CMD'
@echo off
echo %1 %2 %3 %HOLDFAST_LAYERS_COUNT%
exit /b 7
CMD
expect_code 7 "$HOLDFAST" layers plan.toml --exec -- "$cmd" /c show.cmd '{layers}' up
expect_plain_stdout 'base.yml hardening.yml up 2'
# check CODE WORD…: what --verify says of the words, below an --exec.
check() {
  wanted=$1
  shift
  expect_code "$wanted" "$HOLDFAST" layers plan.toml --format compose --exec -- \
    "$cmd" /c again.cmd '{layers}' . "$@"
}
cat >again.cmd <<CMD
@echo off
shift & shift & shift & shift & shift
"$exe" layers --verify -- %1 %2 %3 %4 %5 %6
CMD
check 0 -f base.yml -f hardening.yml
check 66 -f base.yml
check 66 -f hardening.yml -f base.yml
