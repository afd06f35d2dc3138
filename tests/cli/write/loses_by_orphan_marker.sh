#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The end of a managed block was lost. The usual replacer adds a new block in its first run and eats the user's
# text in its second; `holdfast block put`, on the same file with the same markers, refuses both times.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

begin='# BEGIN managed' end='# END managed'
orphaned="first line of the user
$begin
rule one
last lines of the user, behind the lost end
"
echo 'rule two' >block
naive() {
  if grep -qxF "$end" "$1"; then
    awk -v begin="$begin" -v end="$end" '$0 == begin { inside = 1 } !inside { print } $0 == end { inside = 0 }' "$1" >tmp
    mv tmp "$1"
  fi
  { echo "$begin"; cat block; echo "$end"; } >>"$1"
}
safe() { "$HOLDFAST" block put "$1" --id managed --begin "$begin" --end "$end" --from block; }

printf '%s' "$orphaned" >conf
naive conf
grep -q 'last lines of the user' conf || fail 'the naive version fails too early'
naive conf
! grep -q 'last lines of the user' conf || fail 'the naive version has become better'

printf '%s' "$orphaned" >conf
for _ in 1 2; do
  expect_code 65 safe conf
  expect_stderr_contains 'line 2'
  expect_file conf "$orphaned"
done
# With the end put right by a person, it works, and only inside the markers.
sed "s/^rule one\$/&\n$end/" conf >mended
expect_code 0 safe mended
expect_file mended "first line of the user
$begin
rule two
$end
last lines of the user, behind the lost end
"
expect_only block conf mended
