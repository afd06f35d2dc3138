#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Wrong calls are 64, wrong manifests 78 with file and line.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" ensure
expect_code 64 "$HOLDFAST" ensure --mode 0644
expect_code 64 "$HOLDFAST" ensure --file f --mode 9
expect_code 64 "$HOLDFAST" ensure --file f --owner 1000
expect_code 64 "$HOLDFAST" ensure --file f --pin
expect_code 64 "$HOLDFAST" ensure --file f --drift maybe
expect_code 66 "$HOLDFAST" ensure none.toml
printf '[[path]]\npath = "f"\ntype = "file"\nmode = "0644"\nonwer = "1:1"\n' >typo.toml
expect_code 78 "$HOLDFAST" ensure typo.toml
expect_stderr_contains 'typo.toml:5:1'
expect_stderr_contains 'owner'
printf '[[path]]\npath = "${NOT_SET}/f"\ntype = "file"\nmode = "0644"\n' >unset.toml
expect_code 78 "$HOLDFAST" ensure unset.toml
expect_code 78 "$HOLDFAST" ensure --file f --file ./f
expect_code 78 "$HOLDFAST" ensure --file f --owner no_such_user_here
[ ! -e f ] || fail 'something was made'
