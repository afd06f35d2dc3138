#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shipped binary is killed at every call of a write in place: the next command finds the whole old or the
# whole new content, and says so where it had to put the old one back.
# label: sweep
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

old='the old content, which is longer'
printf new >../new
deaths=0 restored=0
for call in pwrite64 write ftruncate fsync fdatasync linkat unlinkat fchmod flock; do
  n=0 killed=yes
  while [ "$killed" = yes ]; do
    n=$((n + 1))
    [ "$n" -lt 100 ] || fail "more than 100 calls of $call: something loops"
    rm -rf ./.f.* ./*
    printf '%s' "$old" >f
    code=0
    strace -qq -o /dev/null -e inject="$call":signal=KILL:when="$n" \
      "$HOLDFAST" write f --in-place --mode 640 --from ../new >"$stdout" 2>"$stderr" || code=$?
    case $code in
      0) killed=no ;;
      137) deaths=$((deaths + 1)) ;;
      *) fail "exit code $code when killed at $call $n" ;;
    esac
    # Any next job puts it right, also one that is refused in the end.
    expect_code 65 write f -- false
    if [ "$(cat f)" = "$old" ] && [ "$killed" = yes ]; then
      ! grep -q 'cut short' "$stderr" || restored=$((restored + 1))
    else
      expect_file f new
    fi
    left=$(find . -name '.f.*' -o -name '.hf-*' ! -name .hf-stage-lock)
    [ -z "$left" ] || fail "killed at $call $n: left $left"
  done
done
[ "$deaths" -gt 10 ] || fail "only $deaths deaths: the sweep does not reach the program"
[ "$restored" -gt 3 ] || fail "the old content was put back only $restored times"
