#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shipped binary is killed at its 1st, 2nd, 3rd, … system call while it appends; every time the next append
# finds or mends the journal, no acknowledged event is lost, and the result verifies.
# label: sweep
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

append x.start
deaths=0 acknowledged=1
for call in openat write pwrite64 pread64 fstat newfstatat flock fcntl fsync fdatasync ftruncate linkat close; do
  n=0 killed=yes
  while [ "$killed" = yes ]; do
    n=$((n + 1))
    [ "$n" -lt 100 ] || fail "more than 100 calls of $call: something loops"
    # Every third time with a torn end, so that mending is interrupted too.
    [ $((n % 3)) -ne 0 ] || printf '{"v":1,"n":' >>"$(segment)"
    code=0
    strace -qq -o /dev/null -e inject="$call":signal=KILL:when="$n" \
      "$HOLDFAST" journal append --type x.start --class decision --data '{}' >"$stdout" 2>"$stderr" || code=$?
    case $code in
      0) killed=no acknowledged=$((acknowledged + 1)) ;;
      137) deaths=$((deaths + 1)) ;;
      *) fail "exit code $code when killed at $call $n" ;;
    esac
    append x.start
    acknowledged=$((acknowledged + 1))
  done
  expect_code 0 "$HOLDFAST" journal verify
done
expect_code 0 "$HOLDFAST" journal count --type x.start --no-index
[ "$(cat "$stdout")" -ge "$acknowledged" ] || fail "$(cat "$stdout") events, $acknowledged were acknowledged"
[ "$deaths" -gt 20 ] || fail "only $deaths deaths: the sweep does not reach the program"
