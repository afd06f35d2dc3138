#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--backup N` keeps the last N old versions whole, with their mode, and removes nothing else.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf 0 >f
chmod 0640 f
printf mine >f.bak-notes
printf mine >other.bak-20200101T000000.000Z
for next in 1 2 3 4; do
  expect_code 0 write f --json --backup 2 -- printf "$next"
  kept=$(json_field .backup)
  expect_file "$kept" $((next - 1))
  expect_mode "$kept" 640
done
# What changes nothing displaces nothing.
expect_code 0 write f --json --backup 2 -- printf 4
expect_json .backup null
[ "$(cat f.bak-2*)" = 23 ] || fail "kept: $(cat f.bak-2*)"
expect_code 0 write fresh --json --backup 2 -- printf x
expect_json .backup null
expect_code 64 write f --backup 1001 -- printf x
[ "$(find . -type f | wc -l)" -eq 6 ] || fail "$(ls -A)"
expect_file f.bak-notes mine
expect_file other.bak-20200101T000000.000Z mine
