#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C, or a TERM, in the middle of a slow command: the old file stays, the command is gone, nothing is left.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
mkfifo ../began
# The second one makes light of it and even says that all is well.
waits="exec $HF_TEST_CHILD sleep-forever"
for signal in TERM HUP; do
  number=15
  [ "$signal" = TERM ] || number=1
  for behaviour in "$waits" 'while :; do :; done'; do
    # shellcheck disable=SC2016 # the script's own variable
    "$HOLDFAST" write f -- sh -c 'trap "echo fine; exit 0" TERM HUP; echo half; echo $$ >../began; '"$behaviour" \
      >"$stdout" 2>"$stderr" &
    holdfast=$!
    read -r producer <../began
    kill "-$signal" "$holdfast"
    code=0
    wait "$holdfast" || code=$?
    [ "$code" -eq $((128 + number)) ] || fail "$signal: exit code $code"
    wait_until_gone "$producer"
    expect_file f old
    expect_only f
  done
done
# While it reads its own stdin.
mkfifo ../content
"$HOLDFAST" write f --allow-unchecked <../content >"$stdout" 2>"$stderr" &
holdfast=$!
{ echo half && kill "$holdfast"; } >../content
code=0
wait "$holdfast" || code=$?
[ "$code" -eq 143 ] || fail "stdin: exit code $code"
expect_file f old
expect_only f
# On a terminal, and for `update`.
script="[ -t 0 ] || cat >/dev/null; echo half; echo ready >&2; exec $HF_TEST_CHILD sleep-forever"
for words in 'write f' 'update f'; do
  code=0
  # shellcheck disable=SC2086 # words
  "$HF_TEST_CHILD" pty c -- "$HOLDFAST" $words -- sh -c "$script" </dev/null >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -eq 130 ] || fail "$words: exit code $code"
  expect_file f old
done
rm .f.hold .f.lock
expect_only f
