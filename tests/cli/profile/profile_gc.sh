#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The clean-up of a profile happens before the start, and what it cannot do is only a warning.
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >holdfast.toml <<'END'
[session.agent]
command = "ls \"$HOLDFAST_HOME/sessions\" >seen"
gc = { probe = "cat listed", grace = 0, trash_for = "1h" }
END
expect_code 0 "$HOLDFAST" workspace new over
expect_code 0 "$HOLDFAST" workspace end over
echo over >listed
expect_code 0 "$HOLDFAST" run --profile agent
! grep -qx over seen || fail 'the dead session was not collected before the start'
expect_code 0 "$HOLDFAST" trash list
expect_stdout_contains over

# A probe that fails: a warning, and the session starts.
expect_code 0 "$HOLDFAST" workspace new asked --authority command:asked --owner none --json
expect_code 0 "$HOLDFAST" workspace detach asked --token "$(json_field .token)"
rm -f listed seen
expect_code 0 "$HOLDFAST" run --profile agent
expect_stderr_contains 'profile step `gc`'
grep -qx asked seen || fail 'a session that nobody could judge is gone'

# Wrong options are found before anything is done.
rm -f seen
sed -i 's/^gc = .*/gc = { probe = ["a", "b"] }/' holdfast.toml
expect_code 78 "$HOLDFAST" run --profile agent
expect_stderr_contains 'holdfast.toml:1:1'
[ ! -e seen ] || fail 'the command ran'
