#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names with newlines, quotes, leading dashes and 255 bytes are names like any other, in messages too.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

newline='a
b'
long=$(printf '%255s' '' | tr ' ' n)
for name in "$newline" "it's \"quoted\"" ' ' '$(touch pwned)' '*' '~' "$(printf 'bad\351utf8')" '...' 'a\b' "$long"; do
  expect_code 0 write "$name" -- printf one
  expect_code 0 write "$name" -- printf two
  expect_file "$name" two
  expect_code 0 write "$name" --json -- printf three
  jq -e .ok <"$stdout" >/dev/null || fail "no JSON for $name"
  expect_code 65 write "$name" -- false
  rm -- "$name"
done
# The update's lock is beside the file, so its name needs six bytes more.
expect_code 64 update "$long" --create -- printf x
expect_stderr_contains 'the name of its lock'
expect_code 0 update "${long#nnnnnn}" --create -- printf x
rm -- "${long#nnnnnn}" ".${long#nnnnnn}.lock" ".${long#nnnnnn}.hold"
expect_code 77 write "${long}n" -- printf x
expect_code 77 write "$long" --backup 1 -- printf x

expect_code 0 write ./-dash -- printf x
expect_file ./-dash x
expect_code 64 write -dash -- printf x
rm ./-dash
mkdir -p a/b
expect_code 0 write a/../a/./b//f -- printf x
expect_code 0 write "$PWD/a/b/../b/f" -- printf y
cd a/b
expect_code 0 write ../b/f -- printf z
expect_file f z
expect_code 66 write ../no/f -- printf z
expect_code 77 write f/../g -- printf z
cd ../..
expect_only a
