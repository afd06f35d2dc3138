#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Directories, FIFOs and devices are refused, also in place, and nobody hangs in opening one.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir dir
mkfifo fifo
for path in dir fifo /dev/null; do
  for way in '' --in-place '--links follow' '--links replace'; do
    # shellcheck disable=SC2086 # words
    expect_code 77 timeout 30 "$HOLDFAST" write $path --json $way -- printf x
    expect_cause not-a-regular-file
  done
done
expect_code 77 timeout 30 "$HOLDFAST" write f --from fifo
expect_code 77 write f/ -- printf x
expect_code 77 write . -- printf x
expect_code 77 write .. -- printf x
expect_code 64 write '' -- printf x
[ -c /dev/null ] || fail 'the null device is gone'
expect_only dir fifo
