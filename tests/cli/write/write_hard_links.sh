#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file with another name is refused, broken away from it, or written in place, as asked; in place, nothing new
# is made.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
ln f twin
expect_code 77 write f --json -- printf new
expect_cause hard-linked
expect_code 77 update f --json -- printf new
expect_cause hard-linked
expect_file f old
expect_code 0 write f --in-place -- printf both
expect_file twin both
expect_code 0 write f --break-hardlinks -- printf new
expect_file f new
expect_file twin both
rm -f .f.lock
# In place there must be something to write into, also at the end of a long command.
expect_code 66 write nothing --in-place -- printf new
expect_code 66 write twin --in-place -- sh -c 'rm twin; printf new'
expect_only f
