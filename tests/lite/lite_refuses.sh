#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links, directories of others, hard links, special files, damaged histories: refused, and nothing is touched.
. "$(dirname -- "$0")/lib.inc"
mkdir real shared && ln -s real linked && chmod 1777 shared
expect_code 77 lite 'hf.replace("linked/f", b"x")'
expect_code 77 lite 'hf.replace("shared/f", b"x")'
expect_code 0 lite 'hf.replace("shared/f", b"x", trust_dir=True)'
echo old >f && ln -s f link && ln f f2
expect_code 77 lite 'hf.replace("link", b"x")'
expect_code 77 lite 'hf.replace("f", b"x")'
rm f2 .f.lock && ln -s real .f.lock
expect_code 77 lite 'hf.replace("f", b"x")'
rm .f.lock && mkfifo p
expect_code 77 lite 'hf.replace("p", b"x")'
[ "$(cat f)" = old ] || fail 'something was written'
[ -L link ] || fail 'the link was replaced'
[ -p p ] || fail 'the FIFO was replaced'
for damaged in '' '[{"a":1}' '{"a":1}' 'x' '[1]' '[{"a":NaN}]' '[{"a":1,"a":2}]'; do
  printf '%s' "$damaged" >h.json
  expect_code 65 lite 'hf.append("h.json", {"a": 1})'
  [ "$(cat h.json)" = "$damaged" ] || fail "a damaged history was written over: $damaged"
done
printf '{"a":1}\n{"a":' >h.jsonl
expect_code 65 lite 'hf.entries("h.jsonl")'
echo in >.f.hf-undo
expect_code 69 lite 'hf.replace("f", b"x")'
[ -z "$(find . -name '.hf-stage-*')" ] || fail 'a stage was left'
