#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shipped binary is killed at its 1st, 2nd, 3rd, … system call while it makes a home; every time the
# next start finds a usable home or makes one.
# label: sweep
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

# One call after the other: strace counts each kind of system call by itself.
deaths=0
for call in openat mkdirat fstat newfstatat fchmod write fsync linkat getdents64 read close; do
  n=0 killed=yes
  while [ "$killed" = yes ]; do
    n=$((n + 1))
    [ "$n" -lt 100 ] || fail "more than 100 calls of $call: something loops"
    rm -rf "$HOLDFAST_HOME"
    code=0
    strace -qq -o /dev/null -e inject="$call":signal=KILL:when="$n" \
      "$HOLDFAST" doctor --init >"$stdout" 2>"$stderr" || code=$?
    case $code in
      0) killed=no ;;
      137) deaths=$((deaths + 1)) ;;
      *) fail "exit code $code when killed at $call $n" ;;
    esac
    expect_code 0 "$HOLDFAST" doctor --init
    [ "$(ls -A "$HOLDFAST_HOME")" = format ] || fail "killed at $call $n: $(ls -A "$HOLDFAST_HOME")"
  done
done
[ "$deaths" -gt 20 ] || fail "only $deaths deaths: the sweep does not reach the program"
