#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A fork with held locks - the child holds nothing and keeps nothing, and goes on.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

run_c forks
