#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The frame is the same on Windows: version, help, usage errors, JSON, and arguments that are not ASCII.
. "$(dirname -- "$0")/../lib/lib.sh"

expect_code 0 "$HOLDFAST" --version
expect_stdout_contains 'holdfast 0.'
expect_code 0 "$HOLDFAST" help
expect_stdout_contains 'Run a command as a session'
expect_code 0 "$HOLDFAST" help run
expect_stdout_contains '--timeout'
expect_code 64 "$HOLDFAST" frobnicate
expect_no_stdout
expect_stderr_contains "the command 'frobnicate'"
expect_code 64 "$HOLDFAST" --json frobnicate
expect_json .code 64
expect_json .ok false
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made for nothing'

# What is typed is UTF-8 all the way, and so is what is kept.
name=$(printf 'caf\303\251 \342\202\254')
expect_code 0 "$HOLDFAST" journal append --type x.word --data "{\"word\":\"$name\"}"
expect_code 0 "$HOLDFAST" journal query --type x.word --json
expect_json .data.word "$name"
expect_code 0 "$HOLDFAST" workspace new "$name" --owner none --json
expect_json .name "$name"
expect_code 0 "$HOLDFAST" workspace list --json
expect_json '.workspaces[0].name' "$name"
