#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--if-hash` writes only over the content that the caller has seen, or only where there is no file (75 else).
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf one >f
one=$(sha_of f)
expect_code 0 write f --if-hash "$one" -- printf two
expect_code 75 write f --json --if-hash "$one" -- sh -c 'touch was_run; printf three'
expect_cause if-hash
[ ! -e was_run ] || fail 'the command was run although the answer was known'
expect_code 75 write f --if-hash absent -- printf three
expect_file f two
expect_code 0 write f --if-hash "sha256:$(sha_of f)" -- printf three
expect_code 0 write fresh --if-hash absent -- printf first
expect_code 75 write fresh --if-hash absent -- printf second
expect_code 75 write nothing --if-hash "$one" -- printf x
# While the command runs somebody else writes: that is not what was expected.
expect_code 75 write f --if-hash "$(sha_of f)" -- sh -c 'printf other >f; printf mine'
expect_file f other
expect_file fresh first
expect_only f fresh
