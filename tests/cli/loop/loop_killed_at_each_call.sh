#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A loop is killed at its 1st, 2nd, 3rd, … call of each kind; the next one goes on. No item is lost, no act is
# repeated, no notice is repeated, nothing is done without verification.
# label: sweep
. "$(dirname -- "$0")/../../lib/sweep.inc"
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'
make_world
items good lying
touch lying.lying
deaths=0
# killed CALL N: false where there are no N such calls.
killed() {
  where="killed at $1 $2"
  : >story
  rm -f merged.*
  loop_file "name = \"$1-$2\"" 'attempts = 1' 'on_failure = ["./close", "{id}"]'
  # Without -f: the loop alone dies; what it has started goes on.
  strace -qq -o trace -e trace="$1" -e inject="$1":signal=KILL:when="$2" \
    "$HOLDFAST" loop fix.toml --once -q >"$stdout" 2>"$stderr" || :
  rounds=0
  while :; do
    code=0
    "$HOLDFAST" loop fix.toml --once >"$stdout" 2>"$stderr" || code=$?
    [ "$code" -eq 0 ] || fail "$where: the next loop answers $code"
    "$HOLDFAST" loop status fix.toml --json >answer 2>/dev/null || fail "$where: no status"
    one_line answer
    open=0
    for id in good lying; do
      item_state "$id"
      case $value in 'done' | gave_up) ;; *) open=$((open + 1)) ;; esac
    done
    [ "$open" -ne 0 ] || break
    rounds=$((rounds + 1))
    [ "$rounds" -lt 5 ] || fail "$where: an item does not come to its end: $("$HOLDFAST" loop status fix.toml)"
  done
  item_state good
  [ "$value" = 'done' ] || fail "$where: good is $value"
  item_state lying
  [ "$value" = gave_up ] || fail "$where: lying is $value"
  for line in 'run good' 'run lying' 'close good' 'close lying' 'tell lying'; do
    expect_times 1 "$line"
  done
  expect_times 1 'verify good yes'
  expect_times 0 'tell good'
  grep -q 'killed by SIGKILL' trace || return 1
  deaths=$((deaths + 1))
}
for call in write pwrite64 renameat unlinkat fsync fdatasync mkdirat clone,clone3; do
  n=1
  while killed "$call" "$n"; do
    n=$((n + 1))
    [ "$n" -lt 90 ] || fail "more than 90 calls of $call: something loops"
  done
done
[ "$deaths" -gt 40 ] || fail "only $deaths deaths: the sweep does not reach the program"
echo "$deaths deaths"
