#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Going on without the lock is on record first, and the program's journal has it afterwards; if it cannot be recorded,
# it does not happen. Reasons that were not named stay errors.
. "$(dirname -- "$0")/lib.inc"
cat >without.py <<'P'
import sys
import holdfast_lite as hf
try:
    with hf.lock("f", timeout=0.1, fail_open=set(sys.argv[1:])) as held:
        print("held" if held else "without")
except hf.HoldfastError as error:
    print(error, file=sys.stderr)
    sys.exit(error.code)
P
without() { flock .f.lock python3 without.py "$@"; }
expect_code 75 without eio
expect_code 0 without timeout
expect_stdout_is without
expect_stderr_contains 'on record'
[ "$(find "$HOLDFAST_HOME/journal" -name 'spill-*' | wc -l)" -eq 1 ] || fail 'nothing is on record'
expect_code 0 "$HOLDFAST" journal append --type x.note --data '{}'
expect_code 0 without timeout
expect_code 0 "$HOLDFAST" journal append --type x.note --data '{}'
[ "$(find "$HOLDFAST_HOME/journal" -name 'spill-*' | wc -l)" -eq 0 ] || fail 'not merged'
expect_code 0 "$HOLDFAST" journal count --type lock.fail_open
expect_stdout_is 2
expect_code 0 "$HOLDFAST" journal query --type lock.fail_open --last 1 --json
expect_stdout_contains '"reason":"timeout"'
expect_stdout_contains "$PWD/f"
expect_code 0 "$HOLDFAST" journal verify

HOLDFAST_HOME=/proc/nowhere expect_code 69 without timeout
expect_no_stdout
expect_stderr_contains 'cannot record'
(unset HOLDFAST_HOME HOME && expect_code 69 without timeout && expect_no_stdout)
