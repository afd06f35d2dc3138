#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A workspace whose engine is gone for good is kept until a person says so, by name and with a reason, on record.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

new web --authority command:gone
"$HOLDFAST" workspace end web >/dev/null
expect_code 0 gc --json
expect_reason unknown web not-asked
expect_code 64 "$HOLDFAST" workspace end web --assume-gone
expect_code 64 "$HOLDFAST" workspace end web --assume-gone --reason x --force
expect_code 0 "$HOLDFAST" workspace end web --assume-gone --reason 'the harness was uninstalled'
expect_code 0 "$HOLDFAST" --json workspace get web
expect_json '.authority' null
expect_json '.former_authority.id' gone
expect_code 0 "$HOLDFAST" journal query --type workspace.ended
expect_stdout_contains assumed-gone
expect_code 0 gc --json
expect_reason removed web ended

# Whoever is seen says otherwise.
sleep 1000 &
new live --authority "process:$!"
expect_code 77 "$HOLDFAST" workspace end live --assume-gone --reason x
kill $!
expect_code 0 "$HOLDFAST" workspace get live authority

# Other words: a ttl of nothing, and the fields of --json.
expect_code 64 "$HOLDFAST" workspace new now --ttl 0
expect_code 64 "$HOLDFAST" workspace set live --ttl 0
expect_code 0 "$HOLDFAST" workspace get live change
expect_stdout_is 2
expect_code 66 "$HOLDFAST" workspace get live ttl_ms
mkdir "$sessions/bare"
expect_code 0 "$HOLDFAST" --json workspace list
expect_json '.workspaces | map(select(.name == "bare")) | .[0].state' no-record
