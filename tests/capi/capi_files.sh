#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files, blocks and ledgers from C - whole or not at all, and no update is lost.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

run_c files
