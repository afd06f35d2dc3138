#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `flock NUMBER` locks a descriptor of the shell, which keeps the lock; -u gives it up; what is not open is 65, a
# standard stream that the caller closed too.
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks

mkdir d
printf x >ro
for tool in "$real" "$ours"; do
  exec 9>f
  expect_code 0 "$tool" -n 9
  same_code 1 -n f true
  expect_code 0 "$tool" -u 9
  same_code 0 -n f true
  expect_code 0 "$tool" -s 9
  same_code 0 -sn f true
  same_code 1 -n f true
  exec 9>&-
  same_code 0 -n f true

  for target in ro d; do
    exec 9<"$target"
    expect_code 0 "$tool" -w 1 9
    same_code 1 -n "$target" true
    exec 9<&-
  done
  # shellcheck disable=SC2094  # nothing is written
  ( # as scripts write it
    "$tool" -n 9 || exit 1
    same_code 1 -n g true
  ) 9>g
done

# Two numbers of one open file are one lock; two opened apart are two.
exec 7>f 9>&7
expect_code 0 "$ours" 7
same_code 0 -n 9
exec 9>&-
exec 9>f
same_code 1 -n 9
same_code 4 -nE 4 9
same_code 1 -w 0.05 9
exec 7>&- 9>&-

same_code 65 9
same_code 65 -o 9
same_code 65 -- -1
same_code 65 2147483647
same_code 0 ' 1'
for tool in "$real" "$ours"; do
  expect_code 65 sh -c '"$0" 0 <&-' "$tool"
  expect_code 65 sh -c '"$0" 1 >&-' "$tool"
done
# util-linux answers 1, "held by another", where it cannot write its message; ours has the code of the failure.
expect_code 65 sh -c '"$0" 2 2>&-' "$ours"
