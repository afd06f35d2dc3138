#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that does not end in time is no layer, and neither it nor its children go on; a condition the same.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo held
cat >plan.toml <<'END'
[[layer]]
name = "slow"
command = ["./generate"]
timeout = "0.2s"
END
# Both hold the fifo open for writing, so that its end tells when they are gone.
echo 'echo good; exec 9>held; sleep 600 & sleep 600' | script generate
timeout 60 cat held >rest &
reader=$!
exec 8>held  # the reader has begun, whether or not the command comes so far
expect_code 65 "$HOLDFAST" layers plan.toml
exec 8>&-
expect_no_stdout
expect_stderr_contains "'slow' of plan.toml:1:1"
wait "$reader" || fail 'the command or its child still runs'
[ "$(last_event layers.refused | jq -r .reason)" = timeout ] || fail 'the journal does not say why'

printf '[[layer]]\nname = "asks"\nargs = ["x"]\nwhen = "sleep 600"\ntimeout = "0.2s"\n' >plan.toml
expect_refused 65 when-failed asks
