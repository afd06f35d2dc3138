#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The module's lock excludes the program and flock(1), and they exclude it; kill -9 of the holder frees it.
. "$(dirname -- "$0")/lib.inc"
mkfifo ready go
holder=
trap 'exec 8>&- 9>&-; [ -z "$holder" ] || kill -9 "$holder" 2>/dev/null; wait; remove_scratch' EXIT

expect_code 0 "$HOLDFAST" lock --file f -- sh -c "PYTHONPATH=$PYTHONPATH python3 -c '
import holdfast_lite as hf
try:
    with hf.lock(\"f\", timeout=0): print(\"in\")
except hf.Busy as error: print(error.code)'"
expect_stdout_is 75
expect_code 75 flock -E 75 .f.lock sh -c 'exec python3 -c "
import holdfast_lite as hf, sys
try:
    with hf.lock(\"f\", timeout=0.1): pass
except hf.Busy: sys.exit(75)"'

python3 -c 'import holdfast_lite as hf
with hf.lock("f"):
    open("ready", "w").close()
    open("go").read()' &
holder=$!
: <ready
exec 9>go
expect_code 75 "$HOLDFAST" lock -n --file f -- true
expect_code 1 flock -n .f.lock true
echo new >new
expect_code 75 "$HOLDFAST" write f --wait 0.1 --from new
kill -9 "$holder"
wait "$holder" || :
exec 9>&-
holder=
expect_code 0 "$HOLDFAST" lock -n --file f -- true
expect_code 0 lite 'with hf.lock("f", timeout=0) as held: assert held'
[ "$(stat -c %a .f.lock)" = 600 ] || fail 'the lock file can be opened by others'
