#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The authority is asked again under the session's lock: what has come to life between stays.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

new a --authority command:a
new b --authority command:b
# The first answer lists a only; from the second on b lives, too.
probe='echo a; if [ -e asked ]; then echo b; fi; : >asked'
expect_code 0 gc --probe "$probe" --json
expect_reason kept b listed
[ -d "$sessions/b" ] || fail 'a session that came to life was removed'
rm asked
# A second answer that fails keeps, and says so.
expect_code 69 gc --probe 'echo a; [ ! -e asked ] && : >asked' --json
expect_reason unknown b failed
[ -d "$sessions/b" ] || fail 'it went without a second answer'

# Whoever holds the session is not waited for.
rm asked
flock "$sessions/b/harness.lock" "$HOLDFAST" gc --grace 0 --probe 'echo a' --json >"$stdout" 2>"$stderr" || fail 'gc'
expect_reason kept b busy
