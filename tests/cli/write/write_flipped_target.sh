#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Somebody swaps the target between a file and a link to a victim, and the parent between a directory and a link,
# as fast as he can while files are written: the victim never changes, every answer is a known one, nothing stays.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: "${HF_TEST_CHILD:?}"

mkdir dir victims
printf victim >victims/f
ln -s victims other
printf start >dir/f
met=0
# The codes must be known ones, and the victim as it was. 69: the record of the update's lock is not where it was.
tally() {
  victim=$(cat victims/f)
  [ "$victim" = victim ] || fail "the victim was changed: $victim"
  for code in $1; do
    case $code in
      0 | 66 | 75 | 77) ;;
      69) case $words in update*) ;; *) fail "$words: 69: $(cat "$stderr")" ;; esac ;;
      *) fail "an exit code $code: $(cat "$stderr")" ;;
    esac
  done
}
# many N WORD…: sets codes.
many() {
  count=$1
  codes=
  shift
  while [ "$count" -gt 0 ]; do
    code=0
    "$HOLDFAST" "$@" >"$stdout" 2>"$stderr" || code=$?
    codes="$codes $code"
    count=$((count - 1))
  done
}
start() {
  mkfifo began
  "$HF_TEST_CHILD" "$@" >began &
  flipper=$!
  read -r _ <began
  rm began
}
stop() {
  kill "$flipper" || fail 'the flipper gave up'
  wait "$flipper" || fail 'the flipper gave up'
}
for words in 'write dir/f --durability none' 'write dir/f --in-place --durability none' 'update dir/f --durability none' \
  'write dir/f --links replace --durability none'; do
  start flip-link dir/f "$PWD/victims/f"
  # shellcheck disable=SC2086 # words
  many 30 $words -- printf new
  stop
  tally "$codes"
  case $codes in *0*77* | *77*0*) met=$((met + 1)) ;; esac
  rm -f dir/.f.lock dir/.f.hold
  left=$(ls -A dir)
  [ "$left" = f ] || fail "$words: left: $left"
done
[ "$met" -gt 1 ] || fail 'they hardly met'
# The parent.
for words in 'write dir/f' 'write dir/fresh' 'update dir/f'; do
  start flip-names dir other
  answers=
  # On some machines the parent is a link whenever it is looked at: then again, until one gets in.
  for round in 1 2 3 4 5 6 7 8 9 10; do
    # shellcheck disable=SC2086 # words
    many 30 $words --durability none -- printf new
    answers="$answers $codes"
    case "$codes " in *' 0 '*) break ;; esac
  done
  stop
  tally "$answers"
  case "$answers " in *' 0 '*) ;; *) fail "$words: never got in, in $round rounds" ;; esac
  [ ! -L dir ] || fail 'the flipper did not end well'
done
[ "$(ls -A victims)" = f ] || fail "in the victim's directory: $(ls -A victims)"
rm -f dir/.f.lock dir/.f.hold
[ "$(ls -A dir)" = "$(printf 'f\nfresh')" ] || fail "left: $(ls -A dir)"
expect_only dir other victims
