#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A link at the target is refused, for reading too, and followed where asked; a FIFO or directory is refused.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'u\n' >real
keep real
ln -s real link
echo x | expect_code 77 put link --id a --json
expect_json .error.cause is-link
expect_kept real
expect_code 77 "$HOLDFAST" block get link --id a
expect_code 77 "$HOLDFAST" block check link
echo x | expect_code 64 put link --id a --links replace
expect_kept real
echo x | expect_code 0 put link --id a --links follow
[ -L link ] || fail 'the link was replaced'
expect_code 0 "$HOLDFAST" block get link --id a --links follow
expect_stdout_is x
ln -s nothing dangling
echo x | expect_code 77 put dangling --id a --create
[ ! -e nothing ] || fail 'the target of a dangling link was made'
mkfifo pipe
echo x | expect_code 77 put pipe --id a
mkdir dir
echo x | expect_code 77 put dir --id a
ln real second
echo x | expect_code 77 put real --id a
expect_stderr_contains 'names'
