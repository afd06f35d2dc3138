#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Front end and supervisor of a run are killed at their 1st, 2nd, 3rd, … call of each kind: the command ran once or
# not at all, nothing of it is left without a record that says so, and the name can be used again.
# label: sweep
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

"$HOLDFAST" run --name probe -- true
grouped=$(record probe .containment)
deaths=0 ran=0
# killed CALL N: false where there are no N such calls.
killed() {
  : >ran
  name=$1-$2
  strace -f -qq -o trace -e trace="$1" -e inject="$1":signal=KILL:when="$2" \
    "$HOLDFAST" run --name "$name" -- sh -c 'echo ran >>ran' >"$stdout" 2>"$stderr" || :
  [ "$(wc -l <ran)" -le 1 ] || fail "killed at $1 $2: ran twice"
  left=$(grep -laz "^HOLDFAST_SESSION=$name\$" /proc/[0-9]*/environ 2>/dev/null || :)
  [ -z "$left" ] || fail "killed at $1 $2: left $left"
  code=0
  "$HOLDFAST" show --json "$name" >"$stdout" 2>"$stderr" || code=$?
  if [ "$code" -eq 0 ]; then
    state=$(json_field .state)
    case $state in
      exited | killed) [ -s ran ] || [ "$state" = killed ] || fail "killed at $1 $2: $state, and it did not run" ;;
      failed) [ ! -s ran ] || fail "killed at $1 $2: failed, and it ran" ;;
      lost) ;;
      orphaned) [ "$grouped" != cgroup ] || fail "killed at $1 $2: orphaned, though its group is empty" ;;
      *) fail "killed at $1 $2: state $state" ;;
    esac
  else
    [ "$code" -eq 66 ] || fail "killed at $1 $2: show answers $code"
    [ ! -s ran ] || fail "killed at $1 $2: it ran without a record"
    state=none
  fi
  [ ! -s ran ] || ran=$((ran + 1))
  grep -q 'killed by SIGKILL' trace || return 1
  deaths=$((deaths + 1))
  [ "$state" = orphaned ] || expect_code 0 "$HOLDFAST" run --name "$name" -- true
}
for call in write pwrite64 linkat renameat2 unlinkat fsync mkdirat clone,clone3 setsid; do
  n=1
  while killed "$call" "$n"; do
    n=$((n + 1))
    [ "$n" -lt 60 ] || fail "more than 60 calls of $call: something loops"
  done
done
[ "$deaths" -gt 20 ] || fail "only $deaths deaths: the sweep does not reach the program"
[ "$ran" -gt 5 ] || fail "only $ran ran"
