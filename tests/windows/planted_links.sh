#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A link that somebody planted where a lock, its ledger or a directory of the home is to be: refused, and what it
# leads to stays as it is. (Wine shows links to directories as reparse points, those to files by where they lead.)
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

mkdir precious
echo gold >precious/file
intact() {
  { [ "$(cat precious/file)" = gold ] && [ "$(ls -A precious)" = file ]; } || fail "$1: the target was touched"
}
expect_refused() {
  expect_code 77 "$HOLDFAST" --json lock -n "$@" -- "$cmd" /c 'echo ran>ran'
  expect_json .error.cause is-link
}

# The sidecar of a file's lock, and its ledger.
: >data
for planted in .data.lock .data.hold; do
  for target in precious precious/file; do
    ln -s "$PWD/$target" "$planted"
    expect_refused --file data
    [ -L "$planted" ] || fail "$planted: the link was replaced"
    intact "$planted -> $target"
    rm "$planted"
  done
done

# A named lock's file, and the directory that it lies in.
expect_code 0 "$HOLDFAST" lock other -- "$cmd" /c 'exit 0'
for target in precious precious/file; do
  ln -s "$PWD/$target" "$HOLDFAST_HOME/locks/x.lock"
  expect_refused x
  intact "locks/x.lock -> $target"
  rm "$HOLDFAST_HOME/locks/x.lock"
done
mv "$HOLDFAST_HOME/locks" "$scratch/locks"
ln -s "$PWD/precious" "$HOLDFAST_HOME/locks"
expect_refused x
intact 'locks -> precious'
rm "$HOLDFAST_HOME/locks"
mv "$scratch/locks" "$HOLDFAST_HOME/locks"

# The ledger of a history, and a file that is to be replaced.
for planted in h.json h.jsonl; do
  ln -s "$PWD/precious/file" "$planted"
  expect_code 77 "$HOLDFAST" ledger append "$planted" --data '{"n":1}'
  echo new | expect_code 77 "$HOLDFAST" write --allow-unchecked "$planted"
  intact "$planted"
done
ln -s "$PWD/precious" below
echo new | expect_code 77 "$HOLDFAST" write --allow-unchecked below/file
intact below/file
# The home itself.
ln -s "$PWD/precious" "$scratch/linked"
expect_code 77 "$HOLDFAST" --home "$scratch/linked" journal append --type x.y --data '{}'
intact home
[ ! -e ran ] || fail 'something ran'
