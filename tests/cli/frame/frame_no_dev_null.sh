#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where a closed stream has no stand-in (no /dev/null), the program says so and ends with 71, wrappers
# with 125; nothing is done.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v unshare >/dev/null || skip 'unshare(1) is not installed'
unshare -rm true 2>/dev/null || unshare -m true 2>/dev/null || skip 'no mount namespace here'

# bare WORD…: holdfast in a /dev that is empty, with stdin closed.
cat >bare.sh <<'SH'
mount -t tmpfs none /dev && [ ! -e /dev/null ] || exit 99
exec "$HOLDFAST" "$@" <&-
SH
export HOLDFAST
bare() {
  if unshare -m true 2>/dev/null; then unshare -m sh bare.sh "$@"; else unshare -rm sh bare.sh "$@"; fi
}
code=0
bare --version >"$stdout" 2>"$stderr" || code=$?
[ "$code" -ne 99 ] || skip '/dev cannot be replaced here'

expect_code 71 bare --version
expect_no_stdout
expect_stderr_contains 'holdfast: cannot open a stand-in for the closed stdin'
expect_code 71 bare doctor --init
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'
expect_code 125 bare run -- touch ran
[ ! -e ran ] || fail 'the command ran'
expect_code 125 bare --json run -- touch ran
expect_json .code 125
