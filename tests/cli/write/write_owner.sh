#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--owner` gives the file away, by numbers or by name, with its exact mode, set-user-id bits included.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can give files away'

expect_code 0 write given --mode 6755 --owner 4711:4712 -- printf x
[ "$(stat -c '%u:%g %a' given)" = '4711:4712 6755' ] || fail "$(stat -c '%u:%g %a' given)"
expect_code 0 write given --foreign-owner --owner root -- printf y
[ "$(stat -c '%u:%g %a' given)" = '0:0 6755' ] || fail "$(stat -c '%u:%g %a' given)"
