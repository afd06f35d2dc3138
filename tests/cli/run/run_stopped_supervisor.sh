#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that stops its own supervisor does not switch the deadline off.
. "$(dirname -- "$0")/../../lib/lib.sh"

# shellcheck disable=SC2016  # the inner shell expands it
expect_code 124 timeout -s KILL 60 "$HOLDFAST" run --timeout 0.5 --grace 0.2 -- \
  sh -c 'kill -STOP $PPID; exec sleep 60'
expect_stderr_contains 'the deadline of 500ms passed'
