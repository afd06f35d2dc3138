#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Identities, kills and the journal from C.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

run_c processes
