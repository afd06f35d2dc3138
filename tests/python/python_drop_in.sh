#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What programs use of filelock's public names works with the import changed; and filelock itself passes, where it is.
. "$(dirname -- "$0")/lib.inc"
DROP_IN=holdfast python3 "$tests/drop_in.py" 2>said || fail "$(cat said)"
if python3 -c 'import filelock, sys; sys.exit(not hasattr(filelock, "ReadWriteLock"))' 2>/dev/null; then
  DROP_IN=filelock python3 "$tests/drop_in.py" 2>said || fail "$(cat said)"
fi
