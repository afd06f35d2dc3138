#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `stop` and `adopt` of an orphan are killed at their 1st, 2nd, 3rd, … call of each kind: whatever still lives is named
# by a record that is not final, and the next `stop` ends it, provably.
# label: sweep
. "$(dirname -- "$0")/../../lib/sweep.inc"
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

deaths=0
# state WHAT: of the record, into $value.
state() {
  [ -r "$HOLDFAST_HOME/sessions/x/session.json" ] || fail "$1: no readable record"
  one_line "$HOLDFAST_HOME/sessions/x/session.json"
  field state
}
# check WHAT: what death has left.
check() {
  state "$1"
  case $value in
    exited | failed | timed_out | killed | unverified | lost)
      [ ! -d "$orphan_group" ] || grep -qx 'populated 0' "$orphan_group/cgroup.events" ||
        fail "$1: $value, and somebody lives: $(cat "$orphan_group/cgroup.procs")"
      ;;
  esac
  code=0
  "$HOLDFAST" stop x --grace 0 >"$stdout" 2>"$stderr" || code=$?
  case $code in 0 | 66) ;; *) fail "$1: the next stop says $code" ;; esac
  state "$1"
  case $value in lost | killed | exited) ;; *) fail "$1: $value" ;; esac
  [ ! -d "$orphan_group" ] || grep -qx 'populated 0' "$orphan_group/cgroup.events" || fail "$1: survivors"
}

# sweep CALL CMD…
sweep() {
  call=$1
  shift
  n=0 killed=yes
  while [ "$killed" = yes ]; do
    n=$((n + 1))
    [ "$n" -lt 150 ] || fail "more than 150 calls of $call: something loops"
    orphan x -- sh -c 'setsid sleep 600 & exec sleep 601'
    need_group
    code=0
    strace -D -f -qq -o /dev/null -e inject="$call":signal=KILL:when="$n" "$HOLDFAST" "$@" \
      >"$stdout" 2>"$stderr" || code=$?
    case $code in 137) deaths=$((deaths + 1)) ;; *) killed=no ;; esac
    # The front end of `adopt` says that its supervisor is gone.
    if grep -q supervisor "$stderr"; then killed=yes deaths=$((deaths + 1)); fi
    check "$* killed at $call $n"
  done
}

for call in ${HF_CALLS:-renameat2 linkat pwrite64 write fdatasync fsync unlinkat pidfd_send_signal}; do
  sweep "$call" stop x --grace 0
done
for call in ${HF_CALLS:-renameat2 linkat pwrite64 write unlinkat mknodat}; do
  sweep "$call" adopt x
done
[ "$deaths" -gt 20 ] || fail "only $deaths deaths: the sweep does not reach the program"
