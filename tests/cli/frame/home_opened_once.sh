#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command opens the home once, with all that it starts to do its work. Each opening reads HOME/format.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

once() {
  expected=0
  if [ "$1" = gone ]; then
    shift
    expected=66
  fi
  code=0
  strace -f -qq -e trace=openat,openat2 -o "$scratch/calls" "$HOLDFAST" "$@" >"$stdout" 2>"$stderr" || code=$?
  [ "$code" = "$expected" ] || fail "holdfast $* exits with $code: $(cat "$stderr")"
  opened=$(grep -c '"format", ' "$scratch/calls")
  [ "$opened" = 1 ] || fail "holdfast $* opens the home $opened times"
}

expect_code 0 "$HOLDFAST" doctor --init
once run --name x -- true
once run --name x --lock n -- true
once lock n -- true
once ps
once ps --all
once wait x
once show x
once logs x
once gone stop x
once acquire n --owner none --ttl 1m
once locks
once locks n
once once k -- true
once step list
once step show k
once attempt k --max 3 -- true
once workspace new w
once workspace list
once gc
once journal query
once metrics
once run --hook --name x -- true
once run --iterations 2 --name y -- true
printf 'a\n' >"$scratch/f"
once write "$scratch/f" -- echo b
