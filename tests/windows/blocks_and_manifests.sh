#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `block`, `ensure` and `layers`: what is not theirs stays, and a list is whole or not there.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

printf 'mine\r\n' >rc
echo content | expect_code 0 "$HOLDFAST" block put rc --id tool/path
grep -q '^mine' rc || fail 'the rest of the file is gone'
expect_code 0 "$HOLDFAST" block get rc --id tool/path
expect_plain_stdout content
expect_code 0 "$HOLDFAST" block check rc
expect_code 0 "$HOLDFAST" block remove rc --id tool/path
[ "$(cat rc)" = "$(printf 'mine\r')" ] || fail 'not as it was'

cat >paths.toml <<'TOML'
[[path]]
path = "data/deep/state.json"
type = "file"
mode = "0600"
parents = true
initial = "{}\n"
[[path]]
path = "spool"
type = "dir"
mode = "0700"
TOML
expect_code 66 "$HOLDFAST" ensure paths.toml --check
[ ! -e data ] || fail '--check made something'
expect_code 0 "$HOLDFAST" ensure paths.toml
[ "$(cat data/deep/state.json)" = '{}' ] || fail 'no initial content'
echo mine >data/deep/state.json
expect_code 0 "$HOLDFAST" ensure paths.toml --json
expect_json '.created | length' 0
[ "$(cat data/deep/state.json)" = mine ] || fail 'what was there was touched'
expect_code 0 "$HOLDFAST" ensure paths.toml --check
rm -r spool && : >spool
expect_code 77 "$HOLDFAST" ensure paths.toml --check

echo x >a.yml
cat >plan.toml <<'TOML'
[[layer]]
name = "base"
required = true
args = ["a.yml"]
[[layer]]
name = "made"
command = "echo b"
TOML
expect_code 0 "$HOLDFAST" layers plan.toml --json
expect_json '.args[0]' a.yml
expect_json '.args[1]' b
expect_json .count 2
sed 's/echo b/exit 3/' plan.toml >failing.toml
expect_code 65 "$HOLDFAST" layers failing.toml
expect_no_stdout
