#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --exec runs nothing where the list is not whole (65, 78) or the line is wrong (64); 127, 126 and 125 say why
# the command could not be started.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

echo 'echo ran >ran' | script command
printf '[[layer]]\nname = "made"\ncommand = "echo a; exit 3"\n' >plan.toml
expect_refused 65 command-failed made --exec -- ./command '{layers}'
printf '[[layer]]\nname = "made"\nargs = ["${UNSET_ONE}"]\n' >plan.toml
expect_refused 78 unset-variable made --exec -- ./command '{layers}'
printf '[[layer]]\nname = "made"\nargs = ["a"]\n' >plan.toml
expect_code 64 "$HOLDFAST" layers plan.toml --exec -- ./command
expect_code 64 "$HOLDFAST" layers plan.toml --exec -- ./command '{layers}' '{layers}'
expect_code 64 "$HOLDFAST" layers plan.toml --exec -- '{layers}'
expect_code 64 "$HOLDFAST" layers plan.toml --exec
expect_code 64 "$HOLDFAST" layers plan.toml -- ./command '{layers}'
expect_code 64 "$HOLDFAST" layers plan.toml --exec --verify -- ./command '{layers}'
expect_code 64 "$HOLDFAST" layers
[ ! -e ran ] || fail 'the command was run'

expect_code 127 "$HOLDFAST" layers plan.toml --exec -- no-such-command '{layers}'
expect_stderr_contains 'no-such-command'
expect_code 127 "$HOLDFAST" layers plan.toml --exec --json -- no-such-command '{layers}'
expect_json .code 127
chmod 0644 command
expect_code 126 "$HOLDFAST" layers plan.toml --exec -- ./command '{layers}'
expect_code 126 "$HOLDFAST" layers plan.toml --exec -- / '{layers}'
[ "$(id -u)" -eq 0 ] && exit 0
chmod 0 plan.toml
expect_code 125 "$HOLDFAST" layers plan.toml --exec -- ./command '{layers}'
expect_code 71 "$HOLDFAST" layers plan.toml
