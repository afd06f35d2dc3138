#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables fit the terminal from 40 columns on, one line a row; times are relative and states colored there. In a file
# nothing is left out, cut or colored, and --json says the same at any width.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v script >/dev/null || skip 'script(1) is not installed'
export HOLDFAST
escape=$(printf '\033')

long=$(head -c 100 /dev/zero | tr '\0' n)
expect_code 0 "$HOLDFAST" run --name "$long" --no-log -- true
expect_code 3 "$HOLDFAST" run --name short --no-log -- sh -c 'exit 3' a rather long command line with many words
expect_code 0 "$HOLDFAST" lock "$long" -- true
expect_code 0 "$HOLDFAST" once "$long" -- true

tables='"$HOLDFAST" ps --all; "$HOLDFAST" locks --all; "$HOLDFAST" step list'
for columns in 40 60 100; do
  TERM=dumb script -qec "stty cols $columns; $tables" /dev/null </dev/null >"$stdout" 2>&1 || fail 'script failed'
  widest=$(tr -d '\r' <"$stdout" | sed 's/…/./g' | awk '{ if (length($0) > w) w = length($0) } END { print w }')
  [ "$widest" -le "$columns" ] || fail "$widest columns on a terminal of $columns"
  [ "$(grep -c '^nnn' "$stdout")" -ge 2 ] || fail "a row is missing at $columns columns"
  expect_stdout_contains 'exited(3)'
  expect_stdout_contains '…'
done
TERM=xterm script -qec "stty cols 100; $tables" /dev/null </dev/null >"$stdout" 2>&1 || fail 'script failed'
grep -q "${escape}\[2mfree${escape}" "$stdout" || fail 'a free lock is not dim'

expect_code 0 "$HOLDFAST" ps --all
grep -q "^$long *exited(0) " "$stdout" || fail 'a file got a cut name'
! grep -q "$escape" "$stdout" || fail 'a file got colors'
"$HOLDFAST" ps --all --json >document
script -qec 'stty cols 40; "$HOLDFAST" ps --all --json' /dev/null </dev/null >"$stdout" 2>&1 || fail 'script failed'
tr -d '\r' <"$stdout" | cmp -s - document || fail 'the document depends on the terminal'
