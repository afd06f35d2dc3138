#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Blanks, quotes, newlines, wildcards and bytes that no encoding knows come through every format unchanged.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# print0 WORD…: each with a NUL behind it.
print0() { printf '%s\0' "$@"; }
# shellcheck disable=SC2016 # they are not to be expanded
set -- 'a b' "it's" '"q"' '$HOME' '`id`' '*' "\\" ';|&<>' 'new
line' ' ' '-n' '=ls' '{a,b}' 'ünï' '~' '!!' '#x'
print0 "$@" >wanted
cp wanted printed
printf '[[layer]]\nname = "odd"\ncommand = ["cat", "printed"]\noutput = "nul"\n' >plan.toml

"$HOLDFAST" layers plan.toml --format nul | cmp - wanted || fail 'nul changed a word'
words=$("$HOLDFAST" layers plan.toml) || fail 'args failed'
eval "print0 $words" | cmp - wanted || fail 'eval changed a word'
"$HOLDFAST" layers plan.toml --format nul | xargs -0 printf '%s\0' | cmp - wanted || fail 'xargs changed a word'
"$HOLDFAST" layers plan.toml --format json | jq -j '.[] + "\u0000"' | cmp - wanted || fail 'json changed a word'
"$HOLDFAST" layers plan.toml --json | jq -j '.args[] + "\u0000"' | cmp - wanted || fail '--json changed a word'
"$HOLDFAST" layers plan.toml --exec -- printf '%s\0' '{layers}' | cmp - wanted || fail 'exec changed a word'

# An empty word, and bytes that JSON cannot hold: refused there rather than changed.
printf 'x\0\0\377\0' >printed
"$HOLDFAST" layers plan.toml --format nul | cmp - printed || fail 'nul changed a byte'
words=$("$HOLDFAST" layers plan.toml) || fail 'args failed'
eval "print0 $words" | cmp - printed || fail 'eval changed a byte'
expect_code 65 "$HOLDFAST" layers plan.toml --format json
expect_no_stdout
expect_stderr_contains 'UTF-8'

# As compose files.
rm printed
for name in 'a b' "it's" 'new
line' '$x'; do
  : >"$name"
  print0 "$name" >>printed
done
words=$("$HOLDFAST" layers plan.toml --format compose) || fail 'compose failed'
eval "set -- $words"
print0 -f 'a b' -f "it's" -f 'new
line' -f '$x' >wanted
print0 "$@" | cmp - wanted || fail 'compose changed a word'
