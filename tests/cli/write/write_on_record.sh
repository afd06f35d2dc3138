#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What was replaced and what was refused is on record with path, digests and reason; a repetition is not.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
old=$(sha_of f)
expect_code 0 write f -- printf new
expect_code 0 write f -- printf new
expect_code 65 write f -- false
expect_code 65 write f -- true
expect_code 0 update f -- tr a-z A-Z
ln -s f link
expect_code 77 write link -- printf x
expect_code 64 write f --mode 9 -- printf x
expect_code 0 "$HOLDFAST" journal query --type file.replaced --json
[ "$(jq -r '.data | "\(.path) \(.old_sha256 // "-") \(.bytes) \(.durable)"' <"$stdout" | head -n 1)" = "$PWD/f $old 3 true" ] ||
  fail 'not what was done'
[ "$(wc -l <"$stdout")" -eq 2 ] || fail 'not two records'
expect_code 0 "$HOLDFAST" journal query --type file.refused --json
[ "$(jq -r .data.reason <"$stdout" | tr '\n' ' ')" = 'producer-failed empty is-link ' ] || fail 'other reasons'
