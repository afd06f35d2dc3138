#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An index that is gone, torn, damaged, of another log or no file of ours costs no byte of the text, and tells nothing
# wrong: what nobody knows is shown and counted, and without any index streams cannot be told (69).
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" run --name x -- sh -c 'for n in 1 2 3 4; do echo "out $n"; sleep 0.02; echo "err $n" >&2; sleep 0.02; done'
session=$HOLDFAST_HOME/sessions/x
cp "$session/out.index" whole
"$HOLDFAST" logs x >text
[ "$(wc -l <text)" -eq 8 ] || fail 'the text'
same_text() {
  expect_code 0 "$HOLDFAST" logs x
  cmp "$stdout" text || fail "$1: the text"
}

# Cut anywhere: what is left is an index of as much, and nothing is told wrong.
size=$(stat -c %s whole)
[ "$size" -ge 80 ] || fail "an index of $size bytes"
length=0
while [ "$length" -le "$size" ]; do
  head -c "$length" whole >"$session/out.index"
  same_text "cut at $length"
  if [ "$length" -lt 16 ]; then
    expect_code 69 "$HOLDFAST" logs --stderr x
    expect_stderr_contains 'no index'
  else
    expect_code 0 "$HOLDFAST" logs --stderr x
    [ "$(grep -c err "$stdout")" -eq 4 ] || fail "cut at $length: a line is missing"
    known=$(grep -c out "$stdout" || :)
    [ "$known" -eq 0 ] || expect_stderr_contains 'the log does not know the stream'
  fi
  length=$((length + 7))
done

# A flipped byte in a block, zeros behind a power cut, and bytes of something else.
{ head -c 20 whole; printf '\377'; tail -c +22 whole; } >"$session/out.index"
expect_code 0 "$HOLDFAST" logs --stderr x
[ "$(grep -c err "$stdout")" -eq 4 ] || fail 'a flipped byte'
expect_stderr_contains 'does not know the stream'
{ head -c 32 whole; head -c 64 /dev/zero; } >"$session/out.index"
expect_code 0 "$HOLDFAST" logs --stderr x
[ "$(grep -c err "$stdout")" -eq 4 ] || fail 'zeros'
head -c 4096 /dev/urandom >"$session/out.index"
expect_code 69 "$HOLDFAST" logs --stdout x
same_text 'garbage'

# Of another log; a link; one that others may write.
cp whole "$session/out.index"
cp "$session/out.log" "$session/out.new" && mv "$session/out.new" "$session/out.log"
expect_code 69 "$HOLDFAST" logs -t x
same_text 'of another log'
rm "$session/out.index"
ln -s "$PWD/whole" "$session/out.index"
expect_code 69 "$HOLDFAST" logs -t x
same_text 'a link'
# A directory in its place keeps neither a run nor its log from being.
rm "$session/out.index"
mkdir "$session/out.index"
expect_code 3 "$HOLDFAST" run --name x -- sh -c 'echo text; exit 3'
expect_code 0 "$HOLDFAST" logs x
expect_stdout_is text
expect_code 0 "$HOLDFAST" logs --run 1 x
cmp "$stdout" text || fail 'the earlier run'

# No room for the index: the file size limit of the supervisor hits it as it hits the log, and the command goes on.
expect_code 0 "$HOLDFAST" run --name y -- sh -c 'echo text'
expect_code 0 "$HOLDFAST" logs y --stdout
expect_stdout_is text
