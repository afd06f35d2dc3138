#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `update` of what is not there is 66 without --create; that and every other early refusal leaves nothing behind.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir dir
printf old >f
ln f twin
ln -s f link
expect_code 66 update nothing --json -- sh -c 'touch was_run'
expect_json .code 66
expect_cause enoent
expect_code 77 update link -- tr a-z A-Z
expect_code 77 update dir -- tr a-z A-Z
expect_code 77 update f -- tr a-z A-Z
expect_only dir f link twin
rm twin
expect_code 0 update f -- tr a-z A-Z
expect_file f OLD
expect_code 0 update fresh --create -- sh -c 'cat; printf begun'
expect_file fresh begun
expect_only .f.hold .f.lock .fresh.hold .fresh.lock dir f fresh link
