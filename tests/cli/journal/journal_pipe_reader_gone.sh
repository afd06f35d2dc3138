#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `query | head` ends quietly, and `follow` ends when its reader goes away, though nothing happens.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.filler "{\"text\":\"$(head -c 60000 /dev/zero | tr '\0' y)\"}"
for _ in 1 2 3 4 5; do append x.filler "{\"text\":\"$(head -c 60000 /dev/zero | tr '\0' y)\"}"; done
for mode in '' --json; do
  # shellcheck disable=SC2086 # nothing, or one word
  { "$HOLDFAST" journal query --type x.filler $mode 2>"$stderr" || echo $? >code; } | head -c 10 >"$stdout"
  [ "$(cat code)" = 74 ] || fail "exit code $(cat code), not 74"
  expect_no_stderr
done

mkfifo pipe
code=0
{ timeout 30 "$HOLDFAST" journal follow --since 1d --type x.filler 2>"$stderr" || echo $? >code; } >pipe &
head -c 10 <pipe >"$stdout"
wait
[ "$(cat code)" = 74 ] || fail "follow: exit code $(cat code), not 74"
expect_no_stderr
