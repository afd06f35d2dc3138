#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What each call about locks answers, also to bad calls, and threads exclude each other.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

run_c locks
