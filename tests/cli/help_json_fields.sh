#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of a command lists exactly the fields that its --json document has beside ok, code and error.
. "$(dirname -- "$0")/lib.sh"

# listed COMMAND: the terms below "JSON fields" on its page.
listed() {
  "$HOLDFAST" help "$1" | awk '/^[A-Z]/ { on = ($0 == "JSON fields"); next }
    /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' | sort
}
fields() { json_field 'del(.ok, .code, .error) | keys | .[]' | sort; }
same() { [ "$(listed "$1")" = "$(fields)" ] || fail "$1: its page lists other fields: $(listed "$1")"; }

expect_code 0 "$HOLDFAST" help --json && same help
expect_code 0 "$HOLDFAST" doctor --json && same doctor
expect_code 3 "$HOLDFAST" run --json -- sh -c 'exit 3' && same run
expect_code 127 "$HOLDFAST" run --json -- no-such-command && same run

# A negative answer is no failure: no error.
expect_code 66 "$HOLDFAST" doctor --json no-such-directory && same doctor
expect_json .ok false
expect_json 'has("error")' false
expect_code 0 "$HOLDFAST" help json
expect_stdout_contains 'A negative answer is no failure'
