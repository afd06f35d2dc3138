#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What would be ended with the run, the step or the producer around it is not started in the background: 64, and what to do instead.
. "$(dirname -- "$0")/../lib/lib.sh"
export HOLDFAST

cat >loop.toml <<'END'
[loop]
source = "echo '{\"id\":\"one\"}'"
run = ["touch", "ran"]
END
mkfifo up
refused() {
  expect_code 64 "$@"
  expect_stderr_contains 'which ends everything below it when it ends'
  expect_stderr_contains 'from outside'
}
refused "$HOLDFAST" run -- "$HOLDFAST" run --detach --name inner -- sleep 60
refused "$HOLDFAST" run --name outer -- "$HOLDFAST" run --detach -- sleep 60
expect_stderr_contains "the session 'outer'"
refused "$HOLDFAST" once key -- "$HOLDFAST" run --detach --name inner -- sleep 60
refused "$HOLDFAST" run -- "$HOLDFAST" loop loop.toml --no-wait
expect_code 0 "$HOLDFAST" run --name old -- true
refused "$HOLDFAST" run -- "$HOLDFAST" resume old --detach
expect_code 66 "$HOLDFAST" until --fail 64 --timeout 1m -- "$HOLDFAST" run --detach --name inner -- sleep 60
expect_stderr_contains 'from outside'
expect_code 65 "$HOLDFAST" write f -- "$HOLDFAST" run --detach --name inner -- sleep 60
expect_stderr_contains 'from outside'
[ ! -e ran ] || fail 'the loop has begun something'
expect_code 66 "$HOLDFAST" show inner
# What waits, and what was left by a caller that is no run, is as before.
expect_code 0 "$HOLDFAST" run -- "$HOLDFAST" loop loop.toml --once
[ -e ran ] || fail 'the loop did nothing'
expect_code 0 "$HOLDFAST" lock x -- "$HOLDFAST" run --detach --name outside -- sh -c 'read -r _ <up'
echo >up
expect_code 0 "$HOLDFAST" wait outside
