#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Python is killed at each call of a replacement: the file has the whole old or the whole new content, and the next one works.
# label: system
. "$(dirname -- "$0")/lib.inc"
command -v strace >/dev/null || skip 'needs strace'
strace -o /dev/null true 2>/dev/null || skip 'strace may not trace here'
old=$(seq 1 3000) new=$(seq 1 4000)
# Bytecode on: compiling the module has calls of its own.
PYTHONDONTWRITEBYTECODE=''
PYTHONPYCACHEPREFIX=$scratch/pyc
export PYTHONPYCACHEPREFIX
echo 'import holdfast_lite as hf
hf.replace("f", open("new", "rb").read())' >put.py
printf '%s' "$new" >new
seen=
for at in openat:-6 openat:-4 openat:-3 openat:-2 openat:-1 flock:1 flock:2 write:1 fchmod:1 fsync:1 rename:1 renameat:1 fsync:2 unlinkat:1; do
  call=${at%:*} when=${at#*:}
  printf '%s' "$old" >f
  if [ "$when" -lt 0 ]; then
    calls=$(strace -f -e "trace=$call" python3 put.py 2>&1 | grep -c "^$call")
    when=$((calls + 1 + when))
    printf '%s' "$old" >f
  fi
  strace -o /dev/null -e "inject=$call:signal=KILL:when=$when" python3 put.py 2>/dev/null || :
  case $(cat f) in
    "$old") seen="$seen old" ;;
    "$new") seen="$seen new" ;;
    *) fail "neither content after a death at $at" ;;
  esac
  expect_code 0 python3 put.py
  [ "$(cat f)" = "$new" ] || fail "the next replacement failed after a death at $at"
done
case $seen in *old*new*) ;; *) fail "the sweep killed nothing at all: $seen" ;; esac
