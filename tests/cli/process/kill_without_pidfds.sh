#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where the kernel has no pidfds nobody is signalled: a number could be another process by then.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

start sleep-forever
"$HOLDFAST" identify "$pid" >id
for denied in pidfd_open pidfd_open=EPERM pidfd_send_signal pidfd_send_signal=EPERM; do
  for tree in '' --tree; do
    # shellcheck disable=SC2086
    expect_code 69 "$HF_TEST_CHILD" deny "$denied" -- "$HOLDFAST" kill @id $tree --json
    expect_json .outcome unproven
    expect_json .evidence no-pidfd
  done
  expect_code 0 "$HF_TEST_CHILD" deny "$denied" -- "$HOLDFAST" alive @id
done
expect_lives "$pid"
end "$pid"
# The dead are still told from the living.
expect_code 66 "$HF_TEST_CHILD" deny pidfd_open -- "$HOLDFAST" kill @id --json
expect_json .outcome gone
