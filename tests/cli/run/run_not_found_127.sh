#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that is not there is 127, one that cannot be executed is 126; nothing else ran.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 127 "$HOLDFAST" run -- no-such-command-anywhere
expect_stderr_contains "cannot run 'no-such-command-anywhere'"
expect_code 127 "$HOLDFAST" run -- ./absent
: >plain
expect_code 126 "$HOLDFAST" run -- ./plain
expect_code 126 "$HOLDFAST" run -- /
printf '#!/no/such/shell\n' >orphan
chmod +x orphan
expect_code 126 "$HOLDFAST" run -- ./orphan
expect_stderr_contains 'interpreter'
expect_code 127 "$HOLDFAST" run -q --json -- ./absent
expect_json .state failed
expect_json .error.cause enoent
expect_json .pid null
expect_no_stderr
