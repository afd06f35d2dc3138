#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `journal rotate --keep` counts the data that is too large for a record: it goes with its segment.
. "$(dirname -- "$0")/../../lib/lib.sh"

for i in 1 2 3; do
  { printf '{"text":"%s' "$i"; head -c 4000000 /dev/zero | tr '\0' x; printf '"}'; } >large
  expect_code 0 "$HOLDFAST" journal append --type x.large <large
done
blobs=$HOLDFAST_HOME/journal/blobs
[ "$(du -sk "$blobs" | cut -f1)" -gt 10000 ] || fail 'the data is not beside the journal'
expect_code 0 "$HOLDFAST" journal query --type x.large
# The newest segment and the one before it stay, and so do the blobs of one more.
for i in 1 2 3; do
  expect_code 0 "$HOLDFAST" journal append --type x.small --data '{}'
  expect_code 0 "$HOLDFAST" journal rotate --keep 64K
done
[ "$(du -sk "$HOLDFAST_HOME/journal" | cut -f1)" -lt 2000 ] || fail "$(du -sk "$blobs") left"
expect_code 0 "$HOLDFAST" journal verify
expect_code 0 "$HOLDFAST" journal query --type x.small
