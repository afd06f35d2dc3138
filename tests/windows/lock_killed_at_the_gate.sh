#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# holdfast is killed at the moment in which its command comes to be: a command that has not run yet goes with it, and the
# lock is free, with a lease, a budget and without. One that has begun keeps the lock until it ends.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

printf '@echo off\r\necho up>%%1.up\r\nping -n 2 127.0.0.1 >nul 2>nul\r\n' >short.cmd
# comes MARK: a command with that word on its line is there. Quick, since it is only a moment that is looked for.
comes() { grep -saqE "^cmd\.exe.*$1" /proc/[0-9]*/cmdline; }
round=0
for how in '' '--ttl 30s' '--budget 30s'; do
  for _ in 1 2 3 4; do
    round=$((round + 1))
    mark=gate$round
    # shellcheck disable=SC2086  # words
    "$HOLDFAST" lock $mark $how -- "$cmd" /c short.cmd $mark >/dev/null 2>&1 &
    holder=$!
    until comes "$mark"; do kill -0 "$holder" 2>/dev/null || break; done
    kill -s KILL "$holder" 2>/dev/null || :
    wait "$holder" 2>/dev/null || :
    expect_code 0 "$HOLDFAST" lock -w 20 $mark -- "$cmd" /c 'exit 0'
    # What is left of it is at an end, or comes to one by itself.
    tries=0
    while comes "short.cmd $mark"; do
      tries=$((tries + 1))
      [ "$tries" -lt 100 ] || fail "$mark: the command waits at its gate for ever"
      sleep 0.1
    done
  done
done
