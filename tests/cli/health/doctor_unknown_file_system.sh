#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file system that holdfast does not know is "cannot tell", 69, and never called good.
. "$(dirname -- "$0")/../../lib/lib.sh"
[ -d /sys/kernel ] || skip 'no /sys/kernel'

expect_code 69 "$HOLDFAST" --json doctor /sys/kernel
expect_json '.findings[] | select(.check == "file-system") | .verdict' cannot-tell
expect_json '.findings[] | select(.check == "space") | .verdict' cannot-tell
