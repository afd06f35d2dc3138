#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of a command lists exactly the fields that its --json document has beside ok, code and error.
. "$(dirname -- "$0")/../../lib/lib.sh"

# listed COMMAND: the terms below "JSON fields" on its page.
listed() {
  "$HOLDFAST" help "$@" | awk '/^[A-Z]/ { on = ($0 == "JSON fields"); next }
    /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }' | sort
}
fields() { json_field 'del(.ok, .code, .error) | keys | .[]' | sort; }
same() { [ "$(listed "$@")" = "$(fields)" ] || fail "$*: its page lists other fields: $(listed "$@")"; }

expect_code 0 "$HOLDFAST" help --json && same help
expect_code 0 "$HOLDFAST" doctor --json && same doctor
expect_code 3 "$HOLDFAST" run --json -- sh -c 'exit 3' && same run
expect_code 127 "$HOLDFAST" run --json -- no-such-command && same run

expect_code 0 "$HOLDFAST" journal append --type x.a --data '{}' --json && same journal append
expect_code 0 "$HOLDFAST" journal count --by type --json && same journal count
expect_code 0 "$HOLDFAST" journal verify --json && same journal verify
expect_code 0 "$HOLDFAST" journal repair --json && same journal repair
expect_code 0 "$HOLDFAST" journal rotate --json && same journal rotate
expect_code 0 "$HOLDFAST" journal anchor --to anchors --json && same journal anchor
expect_code 0 "$HOLDFAST" journal export --format csv --output a.csv --json && same journal export
expect_code 0 "$HOLDFAST" metrics --json && same metrics
# The lines of a stream have the fields, but for that of its last line where it failed.
expect_code 0 "$HOLDFAST" journal query --type x.a --json
[ "$(listed journal query | grep -vx damaged)" = "$(fields)" ] || fail 'journal query: its page lists other fields'

# A negative answer is no failure: no error.
expect_code 66 "$HOLDFAST" doctor --json no-such-directory && same doctor
expect_json .ok false
expect_json 'has("error")' false
expect_code 0 "$HOLDFAST" help json
expect_stdout_contains 'A negative answer is no failure'
