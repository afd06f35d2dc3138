#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is not offered on Windows says so by name, with the word `unsupported`, and does nothing.
. "$(dirname -- "$0")/../cli/lib.sh"
. "$(dirname -- "$0")/windows.inc"

# expect_unsupported CMD…: refused, and the JSON says why.
expect_unsupported() {
  code=0
  command=$1
  shift
  "$command" --json "$@" >"$stdout" 2>"$stderr" </dev/null || code=$?
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
expect_unsupported "$HOLDFAST" run --pty -- "$cmd" /c 'echo ran>ran'
: >data
expect_unsupported "$HOLDFAST" lock -n --file data --presume-dead 1s -- "$cmd" /c 'echo ran>ran'
expect_unsupported "$HOLDFAST" lock -n --file data --ttl 5s --on-expired replace -- "$cmd" /c 'echo ran>ran'
[ ! -e ran ] || fail 'a command ran'
expect_unsupported "$HOLDFAST" ensure --file own --owner 1:1
[ ! -e own ] || fail 'a file was made'
printf 'name = "night"\n' >night.toml
expect_unsupported "$HOLDFAST" loop night.toml
expect_unsupported "$HOLDFAST" loop night.toml --dry-run
expect_unsupported "$HOLDFAST" loop status night.toml
expect_unsupported "$HOLDFAST" loop pause night.toml
expect_unsupported "$HOLDFAST" loop resume night.toml
expect_unsupported "$HOLDFAST" loop retry night.toml 160
expect_unsupported "$HOLDFAST" loop done night.toml 160
[ ! -e "$HOLDFAST_HOME/loops" ] || fail 'a loop was begun'

# Under the name of flock; the wrapper has no other name, so Wine is asked itself.
wine=$(sed -n 's/^exec "\([^"]*\)".*/\1/p' "$HOLDFAST")
cp "${HOLDFAST_EXE:?}" flock.exe
expect_code 69 "$wine" flock.exe data -c 'exit 0'
expect_stderr_contains unsupported
