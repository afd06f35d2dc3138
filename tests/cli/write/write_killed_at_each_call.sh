#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shipped binary is killed at its 1st, 2nd, 3rd, … call of each kind: the file is the whole old or the whole
# new one with its mode, and the next command works.
# label: sweep
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

printf new >../new
deaths=0 news=0
# killed CALL N WORD…
killed() {
  call=$1 n=$2
  shift 2
  rm -rf ./.f.* ./.hf-* ./*
  printf old >f
  chmod 0640 f
  code=0
  strace -qq -o /dev/null -e inject="$call":signal=KILL:when="$n" "$HOLDFAST" "$@" >"$stdout" 2>"$stderr" || code=$?
  case $(cat f) in
    old) [ "$code" -ne 0 ] || fail "$*: 0, and the old content" ;;
    new) news=$((news + 1)) ;;
    *) fail "killed at $call $n of $*: $(cat f)" ;;
  esac
  expect_mode f 640
  [ "$(find . -name '.hf-stage-*' ! -name .hf-stage-lock | wc -l)" -le 1 ] || fail "killed at $call $n of $*: $(ls -A)"
  rest=$(find . -type f ! -name f ! -name '.hf-stage-*' ! -name .f.hold ! -name .f.lock ! -name 'f.bak-*')
  [ -z "$rest" ] || fail "killed at $call $n of $*: left $rest"
  [ "$code" -eq 0 ] && return 1
  [ "$code" -eq 137 ] || fail "killed at $call $n of $*: exit code $code"
  deaths=$((deaths + 1))
  expect_code 0 update f -- sh -c 'cat; printf " and more"'
}
for words in 'write f --from ../new' 'write f --backup 1 --from ../new' 'update f -- tr old new'; do
  for call in write linkat renameat2 unlinkat fsync fchmod flock; do
    n=1
    # shellcheck disable=SC2086 # words
    while killed "$call" "$n" $words; do
      n=$((n + 1))
      [ "$n" -lt 100 ] || fail "more than 100 calls of $call: something loops"
    done
  done
done
[ "$deaths" -gt 30 ] || fail "only $deaths deaths: the sweep does not reach the program"
[ "$news" -gt 5 ] || fail "only $news died after the one step"
