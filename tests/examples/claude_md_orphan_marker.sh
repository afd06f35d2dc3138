#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A marker has lost its partner. By hand: the second run takes a person's text away. With holdfast: refused, run after
# run, with the line, until a person has looked.
# label: system
. "$(dirname -- "$0")/claude_md.inc"

# ---- by hand
project by-hand
printf '# House rules\n<!-- session:start -->\nBe kind.\n' >"$file"
expect_code 0 session "$naive"
has "$file" 'Be kind.'
expect_code 0 session "$naive"
lacks "$file" 'Be kind.'
printf '# House rules\n<!-- pins:start -->\nBe kind.\n' >"$file" # the one in shell, at once
expect_code 0 pin "$naive" 'never rebase'
[ "$(sed -n '/pins:start/,/pins:end/p' "$file" | grep -c 'Be kind')" -eq 1 ] || fail 'not taken for a pin'

# ---- with holdfast
project held
export CLAUDE_MD_WAIT=5s
expect_code 0 session "$ours"
sed '/<<< holdfast session/d' "$file" >shorter
printf 'Written by hand.\n' >>shorter
cat shorter >"$file"
cp "$file" before
for round in 1 2; do
  expect_code 2 session "$ours" # to the host: blocked, and why
  expect_stderr_contains 'orphan-begin'
  expect_code 2 pin "$ours" 'never rebase'
  expect_stderr_contains 'orphan-begin'
  cmp "$file" before || fail "changed in round $round"
done
expect_code 65 "$HOLDFAST" block check "$file"
expect_stdout_contains "$file:4: orphan-begin"

# A person looks, and has the marker removed: not a line of text goes.
expect_code 0 "$HOLDFAST" block strip-orphans "$file" --apply
has "$file" 'Be kind.'
has "$file" 'Written by hand.'
expect_code 0 session "$ours"
expect_code 0 pin "$ours" 'never rebase'
expect_code 0 "$HOLDFAST" block check "$file"
has "$file" 'Written by hand.'

# A host that sends nothing usable is told so, too: any other code than 2 it would pass over.
nonsense() { printf '{}' | "$ours/session_start.py"; }
expect_code 2 nonsense
expect_stderr_contains session_id
