#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is not offered on Windows says so by name, with the word `unsupported`, and does nothing.
. "$(dirname -- "$0")/../lib/lib.sh"
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
expect_unsupported "$HOLDFAST" journal anchor --to '|exit 0'
expect_code 0 "$HOLDFAST" journal count --type journal.anchored
expect_stdout_is 0
expect_unsupported "$HOLDFAST" run --pty -- "$cmd" /c 'echo ran>ran'
expect_unsupported "$HOLDFAST" run --nofile 10 -- "$cmd" /c 'echo ran>ran'
expect_unsupported "$HOLDFAST" lock -n ./data -- "$cmd" /c 'echo ran>ran'
expect_unsupported "$HOLDFAST" lock -n --path data -- "$cmd" /c 'echo ran>ran'
waiter victim
expect_code 0 "$HOLDFAST" run --detach --name victim -- "$cmd" /c victim.cmd
wait_until test -e victim.up
expect_code 0 "$HOLDFAST" show victim --json
expect_code 0 "$HOLDFAST" identify "$(json_field .pid)"
cp "$stdout" id
for signal in HUP USR1; do expect_unsupported "$HOLDFAST" kill @id --signal "$signal"; done
expect_code 0 "$HOLDFAST" alive @id
: >victim.go
expect_code 0 "$HOLDFAST" wait victim --timeout 60s
: >data
[ ! -e ran ] || fail 'a command ran'
expect_unsupported "$HOLDFAST" ensure --file own --owner 1:1
[ ! -e own ] || fail 'a file was made'

# A segment that was compressed on Linux.
expect_code 0 "$HOLDFAST" --home "$scratch/packed" journal append --type x.y --data '{}'
for segment in "$scratch"/packed/journal/seg-*.jsonl; do mv "$segment" "$segment.zst"; done
expect_unsupported "$HOLDFAST" --home "$scratch/packed" journal query

# Under the name of flock; the wrapper has no other name, so Wine is asked itself.
wine=$(sed -n 's/^exec "\([^"]*\)".*/\1/p' "$HOLDFAST")
cp "${HOLDFAST_EXE:?}" flock.exe
expect_code 69 "$wine" flock.exe data -c 'exit 0'
expect_stderr_contains unsupported
expect_code 69 "$HOLDFAST" flock data -c 'exit 0'
expect_stderr_contains unsupported
