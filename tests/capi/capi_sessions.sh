#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sessions and commands from C, by the program.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

run_c sessions
