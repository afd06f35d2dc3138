#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Under cron or a service manager the caller's process group is orphaned. The end of a command there, while
# something in the group is stopped, must not hang up on the whole group.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >harness <<'END'
sleep 60 & stopped=$!
kill -s STOP "$stopped"
"$HOLDFAST" run -- true
code=$?
kill -s KILL "$stopped"
exit "$code"
END
expect_code 0 setsid -w sh harness
