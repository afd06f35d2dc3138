#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The 1st, 2nd, 3rd, … call of each kind fails in a run, and in `stop` and `adopt` of an orphan. The command runs once or
# not at all; 0 is said only of one that ran, and `failed` only of one that did not; what was stopped is gone where that
# is said; an orphan that is not adopted lives on; and afterwards the name can be used.
# label: sweep
. "$(dirname -- "$0")/../../lib/sweep.inc"
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

faults=0 behind=
# faulty CALL ERROR N CMD…: its exit code into $code; false where there are no N such calls.
faulty() {
  call=$1 error=$2 when=$3
  shift 3
  code=0
  # shellcheck disable=SC2086 # nothing, or -D
  strace $behind -f -qq -o "trace.$faults" -e trace="$call" -e inject="$call:error=$error:when=$when" "$@" \
    >"$stdout" 2>"$stderr" </dev/null || code=$?
  grep -q INJECTED "trace.$faults" || return 1
  faults=$((faults + 1))
}
# state_of_x: into $value; `none` without a record.
state_of_x() {
  value=none
  [ -e "$HOLDFAST_HOME/sessions/x/session.json" ] || return 0
  "$HOLDFAST" show x --json >shown || :
  one_line shown
  field state
}
again() {
  # Twice: a call that an adopter makes late may fail in the end that the first one asks for.
  "$HOLDFAST" stop x --grace 0 >/dev/null 2>&1 || "$HOLDFAST" stop x --grace 0 >/dev/null 2>&1 || :
  expect_code 0 "$HOLDFAST" run --name x -- true
  rm -rf "$HOLDFAST_HOME/sessions/x" # old runs are calls, too
}

# Behind its own calls it looks through /proc for who left the tree.
run_it() {
  [ "$3" -le 80 ] || return 1
  rm -rf ran
  faulty "$1" "$2" "$3" "$HOLDFAST" run --name x -- mkdir ran || return 1
  state_of_x
  [ "$code" -ne 0 ] || [ -e ran ] || fail "$1 $3 $2: 0, and it did not run"
  case $value in
    failed | none) [ ! -e ran ] || fail "$1 $3 $2: $value, and it ran" ;;
    exited) [ -e ran ] || [ "$code" -ne 0 ] || fail "$1 $3 $2: exited, and it did not run" ;;
  esac
  again
}
gone() { [ ! -d "$orphan_group" ] || grep -qx 'populated 0' "$orphan_group/cgroup.events"; }
stop_it() {
  orphan x -- sh -c 'setsid sleep 600 & exec sleep 601'
  need_group
  faulty "$1" "$2" "$3" "$HOLDFAST" stop x --grace 0 || return 1
  [ "$code" -ne 0 ] || gone || fail "$1 $3 $2: stop says 0, and somebody lives"
  state_of_x
  case $value in
    exited | failed | timed_out | killed | lost) gone || fail "$1 $3 $2: $value, and somebody lives" ;;
  esac
  "$HOLDFAST" stop x --grace 0 >/dev/null 2>&1 || :
  gone || fail "$1 $3 $2: the next stop leaves somebody"
  again
}
# The adopter outlives the command, and so does what traces it. Behind the first calls it looks through /proc.
adopt_it() {
  [ "$3" -le 10 ] || return 1
  orphan x -- sh -c 'setsid sleep 600 & exec sleep 601'
  need_group
  faulty "$1" "$2" "$3" "$HOLDFAST" adopt x || return 1
  state_of_x
  case $value in
    exited | failed | timed_out | killed | lost) gone || fail "$1 $3 $2: $value, and somebody lives" ;;
    orphaned)
      [ "$code" -ne 0 ] || fail "$1 $3 $2: adopt says 0, and nobody supervises it"
      ! gone || fail "$1 $3 $2: adopt has ended what it did not adopt"
      ;;
  esac
  "$HOLDFAST" stop x --grace 0 >/dev/null 2>&1 || :
  gone || fail "$1 $3 $2: the next stop leaves somebody"
  again
}

sweep() {
  n=1
  while "$1" "$2" "$3" "$n"; do
    n=$((n + 1))
    [ "$n" -lt 90 ] || fail "more than 90 calls of $2: something loops"
  done
  again
}
for fault in openat:EMFILE pwrite64:ENOSPC write:EIO linkat:EIO renameat2:ENOSPC fsync:EIO mkdirat:ENOSPC \
  clone,clone3:EAGAIN pidfd_open:EMFILE pipe2:EMFILE poll,ppoll:ENOMEM; do
  sweep run_it "${fault%:*}" "${fault#*:}"
done
for fault in pwrite64:ENOSPC renameat2:ENOSPC fsync:EIO pidfd_send_signal:EPERM; do
  sweep stop_it "${fault%:*}" "${fault#*:}"
done
before=$faults behind=-D
for fault in pwrite64:ENOSPC linkat:EIO fsync:EIO clone,clone3:EAGAIN pidfd_open:EMFILE pipe2:EMFILE; do
  sweep adopt_it "${fault%:*}" "${fault#*:}"
done
[ "$((faults - before))" -gt 15 ] || fail "only $((faults - before)) faults in adopt"
[ "$faults" -gt 60 ] || fail "only $faults faults: the sweep does not reach the program"
