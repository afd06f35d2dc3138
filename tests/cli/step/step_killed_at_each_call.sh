#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Front end, supervisor and command of a step are killed at their 1st, 2nd, 3rd, … call of each kind. Whatever was left:
# `once` says done only if it ran, and repeats only what it says it repeats; `attempt` never exceeds its budget; `notify`
# never sends twice.
# label: sweep
. "$(dirname -- "$0")/../../lib/sweep.inc"
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

"$HOLDFAST" run --name probe -- true
[ "$(jq -r .containment "$HOLDFAST_HOME/sessions/probe/session.json")" = cgroup ] ||
  skip 'without a control group nobody can prove the end of an orphan'
deaths=0 repeated=0 skipped=0
# struck CALL N CMD…: false where there are no N such calls.
struck() {
  call=$1 when=$2
  shift 2
  strace -f -qq -o trace -e trace="$call" -e inject="$call":signal=KILL:when="$when" "$@" >/dev/null 2>&1 </dev/null || :
  grep -q 'killed by SIGKILL' trace || return 1
  deaths=$((deaths + 1))
}
# lines FILE: how many it has, into $count.
lines() {
  count=0
  [ -e "$1" ] || return 0
  while read -r _; do count=$((count + 1)); done <"$1"
}
# decided: the decision of the last answer, into $value.
decided() {
  one_line "$stdout"
  field decision
}

once() {
  key=once-$1-$2
  rm -f ran
  struck "$1" "$2" "$HOLDFAST" once "$key" -- sh -c 'echo ran >>ran' || return 1
  lines ran
  first=$count
  expect_code 0 "$HOLDFAST" once "$key" --json -- sh -c 'echo ran >>ran'
  decided
  decision=$value
  field repeated
  case $decision:$value in
    skipped:*)
      [ "$first" -eq 1 ] || fail "$1 $2: done, and it never ran"
      skipped=$((skipped + 1))
      ;;
    ran:true) repeated=$((repeated + 1)) ;;
    ran:false)
      [ "$first" -eq 0 ] || {
        expect_code 0 "$HOLDFAST" step show --kind once "$key" --json
        [ "$(json_field '.history[0].state')" = killed ] || fail "$1 $2: repeated, and nobody said so"
      }
      ;;
    *) fail "$1 $2: $decision, repeated: $value" ;;
  esac
  expect_code 0 "$HOLDFAST" once "$key" --json -- touch never
  decided
  [ "$value" = skipped ] || fail "$1 $2: $value after it was done"
}

attempt() {
  key=attempt-$1-$2
  rm -f ran
  struck "$1" "$2" "$HOLDFAST" attempt "$key" --max 2 -- sh -c 'echo ran >>ran; exit 9' || return 1
  for _ in 1 2 3; do
    "$HOLDFAST" attempt "$key" --max 2 --json -- sh -c 'echo ran >>ran; exit 9' >"$stdout" 2>"$stderr" || :
  done
  decided
  [ "$value" = exhausted ] || fail "$1 $2: $value, not exhausted"
  lines ran
  [ "$count" -le 2 ] || fail "$1 $2: ran $count times of 2"
  [ "$count" -ge 1 ] || fail "$1 $2: never ran, and its budget is gone"
}

notify() {
  key=notify-$1-$2
  rm -f sent
  printf 'text\n' >text
  struck "$1" "$2" sh -c '"$0" notify "$1" -- sh -c "cat >>sent" <text' "$HOLDFAST" "$key" || return 1
  lines sent
  first=$count
  "$HOLDFAST" notify "$key" --json -- sh -c 'cat >>sent' <text >"$stdout" 2>"$stderr" || :
  decided
  case $value in
    suppressed | wait) ;;
    ran) [ "$first" -eq 0 ] || fail "$1 $2: sent twice" ;;
    *) fail "$1 $2: $value" ;;
  esac
  lines sent # of which each is one notice
  [ "$count" -le 1 ] || fail "$1 $2: sent $count times"
}

for step in once attempt notify; do
  for each in write pwrite64 linkat renameat unlinkat fsync fdatasync mkdirat clone,clone3 setsid exit_group; do
    n=1
    while $step "$each" "$n"; do
      n=$((n + 1))
      [ "$n" -lt 60 ] || fail "more than 60 calls of $each: something loops"
    done
  done
done
[ ! -e never ] || fail 'it ran after it was done'
[ "$deaths" -gt 40 ] || fail "only $deaths deaths: the sweep does not reach the program"
[ "$repeated" -gt 0 ] || fail 'no unknown outcome was reached'
[ "$skipped" -gt 0 ] || fail 'no death after the end was reached'
