#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lock(), files, ledgers, the journal and identities from Python, also called wrongly.
. "$(dirname -- "$0")/lib.inc"
python3 "$tests/calls.py" 2>said || fail "$(cat said)"
