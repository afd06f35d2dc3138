#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# FileLock beside the program, flock and other processes; forks, threads, signals, the end of the interpreter, bad input.
. "$(dirname -- "$0")/lib.inc"
python3 "$tests/locks.py" 2>said || fail "$(cat said)"
