#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command inherits the lock's descriptor, so what it leaves running keeps the lock; with -o it does not.
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks

mkfifo go  # what is left running lives until 8 is closed, by the end of the test at the latest
# shellcheck disable=SC2016  # for the inner shell
leave='exec 7<"$1/go"; cat <&7 >/dev/null 2>&1 &'
mkdir d
for tool in "$real" "$ours"; do
  for target in f d; do
    for options in '' -s -F; do
      exec 8<>go
      # shellcheck disable=SC2086  # several words
      expect_code 0 "$tool" $options "$target" sh -c "$leave" sh "$PWD" 8>&-
      same_code 1 -n "$target" true
      exec 8>&-
      same_code 0 -w 60 "$target" true
    done
    exec 8<>go
    expect_code 0 "$tool" -o "$target" sh -c "$leave" sh "$PWD" 8>&-
    same_code 0 -n "$target" true
    exec 8>&-
  done
  # With -o it is held while the command runs, all the same.
  hold "$tool" -o f
  same_code 1 -n f true
  let_go
  # The command can give it up by the descriptor that it has, the first that is free.
  expect_code 0 "$tool" f sh -c '"$0" -u 3 && "$0" -n f true' "$ours" 3>&-
  expect_code 1 "$tool" -o f sh -c '"$0" -n f true' "$ours"
  # Closed streams are not the lock's: the command gets them closed, or as util-linux has it, but never written.
  printf 'content' >kept
  "$tool" --verbose kept sh -c 'echo out; echo err >&2' >&- 2>&- || :
  [ "$(cat kept)" = content ] || fail "written into the lock file: $tool"
done
