#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A waiter gets the lock when it is freed, with and without a limit; the wait is one call and one timer, no polling;
# a signal that is blocked by the caller does not turn the limit off.
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks

# blocked PID: until the kernel lists it as waiting for a flock.
blocked() {
  until grep -qE "^[0-9]+: -> FLOCK .* $1 " /proc/locks; do
    kill -0 "$1" 2>/dev/null || fail 'the waiter ended'
  done
}

for holding in "$real" "$ours"; do
  for options in '-x' '-w 60' '-s' '-s --timeout 1e9'; do
    hold "$holding" f
    # shellcheck disable=SC2086  # several words
    "$ours" $options f touch "got $options" 8>&- &
    waiter=$!
    blocked "$waiter"
    [ ! -e "got $options" ] || fail 'ran under a lock of another'
    let_go
    wait "$waiter" || fail "the waiter ended with $?"
    [ -e "got $options" ] || fail 'did not run'
    rm "got $options"
  done
done

hold "$real" f
# A signal that is not the timer's ends nothing.
"$ours" -w 60 f true 8>&- &
waiter=$!
blocked "$waiter"
kill -ALRM "$waiter"
blocked "$waiter"
kill -KILL "$waiter"
wait "$waiter" || :
if command -v perl >/dev/null; then
  expect_code 1 perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGALRM)); exec @ARGV' "$ours" -w 0.05 f true
fi
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
  expect_code 1 strace -qq -o trace "$ours" -w 0.3 f true
  [ "$(grep -c '^flock(' trace)" -eq 1 ] || fail 'the lock was polled'
  ! grep -qE '^(nanosleep|clock_nanosleep|poll|select)' trace || fail 'it slept'
fi
let_go
