#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every program of docs/c.md compiles without a warning, does what the page says, and ends with 0.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

awk -v dir="$scratch" '
  /^```(c|cpp)$/ { file = dir "/example" ++n "." substr($0, 4); next }
  /^```$/ { file = ""; next }
  file { print >file }' "$HF_SOURCE/docs/c.md"
link="-I $HF_SOURCE/include $HF_LIBRARY -Wl,-rpath,$(dirname -- "$HF_LIBRARY")"
number=0
for source in "$scratch"/example*.c "$scratch"/example*.cpp; do
  number=$((number + 1))
  case $source in
    *.cpp) compiler='c++ -std=c++17' ;;
    *) compiler='cc -std=c11 -D_DEFAULT_SOURCE' ;;
  esac
  # shellcheck disable=SC2086 # several words on purpose
  $compiler $strict -o "${source%.*}" "$source" $link || fail "$source does not compile"
  expect_code 0 "${source%.*}"
  cat "$stdout" >>"$scratch/printed"
done
[ "$number" -ge 5 ] || fail "only $number examples were found"
for line in 'held, fence known' 'ran today' 'ended' 'dead, for certain' 'it ended with 3' 'free again' 'alive' '65 empty'; do
  grep -qxF "$line" "$scratch/printed" || fail "no example printed: $line"
done
expect_code 0 "$HOLDFAST" journal count --type x.started
