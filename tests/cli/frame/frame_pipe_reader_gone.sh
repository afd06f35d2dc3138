#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A reader that went away (`| head`) is 74 without a message: it is normal, and it is no success.
. "$(dirname -- "$0")/../../lib/lib.sh"

# The reader is gone for certain before holdfast starts: a FIFO whose only reader closed it again.
mkfifo pipe
exec 3<>pipe
exec 4>pipe
exec 3<&-
code=0
"$HOLDFAST" help >&4 2>"$stderr" || code=$?
[ "$code" -eq 74 ] || fail "exit code $code, not 74"
expect_no_stderr

"$HOLDFAST" help 2>"$stderr" | head -n 1 >"$stdout"
expect_stdout_contains 'holdfast - '
expect_no_stderr
