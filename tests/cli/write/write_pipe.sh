#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --pipe every stage must succeed: the first, the middle, the last; each status is told.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
bad='cat; echo bad; exit 3'
for place in 1 2 3; do
  one='echo c; echo a' two='sort' three='cat'
  case $place in
    1) one='echo c; exit 3' ;;
    2) two=$bad ;;
    3) three=$bad ;;
  esac
  expect_code 65 write f --json --pipe -- sh -c "$one" '|' sh -c "$two" '|' sh -c "$three"
  expect_cause producer-failed
  expect_json "[.producer[].exit_code] | join(\" \")" "$(echo '0 0 0' | sed "s/0/3/$place")"
  expect_file f old
done
expect_code 65 write f --json --pipe -- sh -c 'echo c; kill -9 $$' '|' sort
expect_json '.producer[0].signal' 9
expect_code 65 write f --json --pipe -- echo c '|' no_such_program_here '|' sort
expect_json '[.producer[].started] | map(tostring) | join(" ")' 'true false true'
expect_code 65 write f -- no_such_program_here
expect_file f old
expect_code 0 write f --json --pipe -- printf 'c\na\n' '|' sort '|' tr a b
expect_json '.producer | length' 3
expect_file f 'b
c
'
# Without --pipe a bar is a word like any other.
expect_code 0 write f -- printf %s '|'
expect_file f '|'
expect_only f
