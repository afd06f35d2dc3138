#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is not offered on Windows says so by name, with the word `unsupported`, and does nothing.
. "$(dirname -- "$0")/../cli/lib.sh"
. "$(dirname -- "$0")/windows.inc"

# expect_unsupported CMD…: refused, and the JSON says why.
expect_unsupported() {
  code=0
  "$@" --json >"$stdout" 2>"$stderr" </dev/null || code=$?
  [ "$code" -ne 0 ] || fail "it was done: $*"
  [ "$(json_field .error.cause)" = unsupported ] || fail "$* says $(json_field .error.cause)"
}
echo 'services: {}' >compose.yml
expect_unsupported "$HOLDFAST" ensure --file x --from-compose compose.yml
[ ! -e x ] || fail 'something was made'
expect_code 0 "$HOLDFAST" journal append --type x.y --data '{}'
expect_unsupported "$HOLDFAST" journal export --format sqlite --output j.db
expect_unsupported "$HOLDFAST" journal anchor --to '|exit 0'
expect_code 0 "$HOLDFAST" journal count --type journal.anchored
expect_stdout_is 0
