#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a command leaves running in the background is ended before its output counts: it cannot add an
# argument later, and does not hold the list up. If it still held the output, the rest of the list may be
# missing, so the layer has failed.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo held
printf '[[layer]]\nname = "made"\ncommand = ["./generate"]\ntimeout = "60s"\n' >plan.toml

# Each holds the fifo open for writing, so that its end tells when they are gone.
await_end() {
  timeout 60 cat held >rest &
  reader=$!
  "$@"
  wait "$reader" || fail 'the child still runs'
}

echo 'exec 9>held; sleep 600 >/dev/null & echo good' | script generate
await_end expect_code 0 "$HOLDFAST" layers plan.toml
expect_stdout_is good

echo 'exec 9>held; (sleep 600; echo late) & echo good' | script generate
await_end expect_code 65 "$HOLDFAST" layers plan.toml
expect_no_stdout
expect_stderr_contains 'still held its output'
