#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whatever call fails, the exit code is that of util-linux, and NFS's demand for a writable descriptor is met.
# label: system
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -f -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

: >f
# faulty TOOL FAULT ARGUMENT…: with FAULT in a call that concerns ./f, or in any where it has no file.
faulty() {
  tool=$1
  fault=$2
  shift 2
  case $fault in
    flock:* | openat:*) set -- -P f -P d -e "inject=$fault" "$tool" "$@" ;;
    *) set -- -e "inject=$fault" "$tool" "$@" ;;
  esac
  code=0
  strace -qq -f -o trace "$@" >"$stdout" 2>"$stderr" || code=$?
  grep -q INJECTED trace || fail "the fault did not strike: $*"
}
same_fault() {
  faulty "$real" "$@"
  wanted=$code
  grep -oE 'O_RDWR|O_RDONLY\|O_CREAT|access.*R_OK\|W_OK' trace | sed 's/.*R_OK/R_OK/' >real-way || :
  faulty "$ours" "$@"
  [ "$code" -eq "$wanted" ] || fail "exit code $code, not $wanted: $*"
  grep -oE 'O_RDWR|O_RDONLY\|O_CREAT|access.*R_OK\|W_OK' trace | sed 's/.*R_OK/R_OK/' >our-way || :
}

mkdir d
for number in EIO:when=1 EBADF:when=1 EIO EBADF ENOLCK ENOMEM EINVAL EOPNOTSUPP EINTR:when=1; do
  for arguments in 'f' '-s f' '-u f' '-w 9 f' 'd'; do
    # shellcheck disable=SC2086  # several words
    same_fault "flock:error=$number" $arguments sh -c 'exit 5'
    cmp -s our-way real-way || fail "not opened in the same way: $number $arguments"
  done
done
for number in ENOSPC EROFS EMFILE ENFILE ENOMEM EACCES ENXIO ELOOP EPERM; do
  same_fault "openat:error=$number" f true
done
for call in clone,clone3,fork,vfork:error=EAGAIN timer_create:error=EAGAIN timer_settime:error=EINVAL \
  execve:error=ENOMEM:when=2+ execve:error=E2BIG:when=2+; do
  same_fault "$call" -w 9 f sh -c 'exit 5'
done
# Here alone: 1, as util-linux says, would mean that the lock was not got.
faulty "$ours" waitid:error=ECHILD f true
[ "$code" -eq 71 ] || fail "a child that cannot be waited for: $code"
[ ! -s f ] || fail 'the file was written'
