#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a write in place left when it was killed is kept as NAME.cut-TIME, the newest three, and never at the cost of the
# backups that were asked for.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

printf 'the old content, which is longer' >f
for i in 1 2 3 4 5 6; do expect_code 0 write f --backup 5 -- printf 'version %s, with some more words' "$i"; done
find . -name 'f.bak-*' | sort >../backups
[ "$(wc -l <../backups)" -eq 5 ] || fail 'not five backups'
for i in 1 2 3 4 5 6; do
  printf 'half %s' "$i" >../half
  expect_code 137 strace -qq -o /dev/null -e inject=ftruncate:signal=KILL:when=1 \
    "$HOLDFAST" write f --in-place --from ../half
  expect_code 65 write f -- false
  expect_file f 'version 6, with some more words'
done
find . -name 'f.bak-*' | sort | cmp -s ../backups - || fail "the backups changed: $(ls)"
[ "$(find . -name 'f.cut-*' | wc -l)" -eq 3 ] || fail "$(ls)"
for file in f.cut-*; do
  case $(cat "$file") in half\ [456]*) ;; *) fail "not the newest: $(cat "$file")" ;; esac
done
