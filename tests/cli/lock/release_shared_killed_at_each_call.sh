#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `release` and `break` of a shared lock die at their 1st, 2nd, 3rd, … call of each kind, beside another reader and
# without one: the same words again finish it, and once the readers have released, a writer gets the lock while their
# owners live.
# label: sweep
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'
tidy_keepers
: >f

deaths=0
# killed CALL N CMD…: $code
killed() {
  code=0
  inject=$1:signal=KILL:when=$2
  shift 2
  strace -D -qq -o /dev/null -e inject="$inject" "$HOLDFAST" "$@" >"$stdout" 2>"$stderr" || code=$?
  case $code in 0 | 137) ;; *) fail "$* with $inject: $code" ;; esac
  [ "$code" -eq 0 ] || deaths=$((deaths + 1))
}
# free WHAT WORDS…: the token releases it, if the lock does not say that it is free already; then a writer gets it.
free() {
  what=$1
  shift
  code=0
  "$HOLDFAST" release "$@" --token "$token" >"$stdout" 2>"$stderr" || code=$?
  case $code in 0 | 77) ;; *) fail "$what: release again: $code" ;; esac
  if [ -n "$other" ]; then expect_code 0 "$HOLDFAST" release "$@" --token "$other"; fi
  code=0
  "$HOLDFAST" lock -w 10s "$@" -- true >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -eq 0 ] || fail "$what: a writer: $code: $(cat "$stderr")"
}

for call in ${HF_CALLS:-pwrite64 getrandom pidfd_open fcntl futex fdatasync}; do
  for lock in x '--file f'; do
    for others in 0 1; do
      n=0 code=137
      while [ "$code" -eq 137 ]; do
        n=$((n + 1))
        [ "$n" -lt 150 ] || fail "more than 150 calls of $call: something loops"
        # shellcheck disable=SC2086 # several words
        token=$("$HOLDFAST" acquire -s --owner $$ -w 10s $lock) other=
        # shellcheck disable=SC2086
        if [ "$others" -eq 1 ]; then other=$("$HOLDFAST" acquire -s --owner $$ $lock); fi
        # shellcheck disable=SC2086
        killed "$call" "$n" release $lock --token "$token"
        end=$code
        # shellcheck disable=SC2086
        free "release $lock beside $others, killed at $call $n" $lock
        code=$end
      done
    done
    n=0 code=137
    while [ "$code" -eq 137 ]; do
      n=$((n + 1))
      [ "$n" -lt 150 ] || fail "more than 150 calls of $call: something loops"
      # shellcheck disable=SC2086
      token=$("$HOLDFAST" acquire -s --owner $$ -w 10s $lock) other=
      # shellcheck disable=SC2086
      id=$("$HOLDFAST" locks $lock --json | jq -r .break_id)
      # shellcheck disable=SC2086
      killed "$call" "$n" break $lock --id "$id" --reason test
      end=$code
      # shellcheck disable=SC2086
      free "break $lock, killed at $call $n" $lock
      code=$end
    done
  done
done
[ "$deaths" -gt 10 ] || fail "only $deaths deaths"
