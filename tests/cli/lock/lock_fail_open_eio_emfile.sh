#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `eio` and `emfile` of --fail-open, of `lock` and `acquire`: where the disk answers with an error on the lock's own file,
# or no descriptor is left for it, a command goes on without the lock only if that word was given, on record before.
# However few descriptors there are, it never runs without the lock and without a record.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'

# failing CALL ERRNO CMD…: each such call on the lock's own file fails so.
failing() {
  call=$1 errno=$2
  shift 2
  strace -f -qq -o /dev/null -P "$HOLDFAST_HOME/locks/x.lock" -e trace="$call" -e inject="$call:error=$errno" "$@"
}
opened() { "$HOLDFAST" journal count --type lock.fail_open; }
failing pread64 EIO true 2>/dev/null || skip 'nothing can be traced here'

"$HOLDFAST" lock x -- true
events=0
for call in pread64 fcntl pwrite64; do
  for errno in EIO EMFILE; do
    word=$(printf '%s' "$errno" | tr '[:upper:]' '[:lower:]')
    case $word in eio) other=emfile ;; *) other=eio ;; esac
    expect_code 125 failing "$call" "$errno" "$HOLDFAST" lock x --fail-open "$other,enospc" -- touch ran
    expect_code 125 failing "$call" "$errno" "$HOLDFAST" lock x -- touch ran
    [ ! -e ran ] || fail "$call $errno: it ran, and nobody allowed that"
    code=0
    failing "$call" "$errno" "$HOLDFAST" acquire x --owner $$ --fail-open "$other" >"$stdout" 2>"$stderr" || code=$?
    [ "$code" -ne 0 ] || fail "$call $errno: acquired"
    expect_no_stdout
    [ "$(opened)" -eq "$events" ] || fail "$call $errno: on record"

    # shellcheck disable=SC2016  # of the command
    expect_code 5 failing "$call" "$errno" "$HOLDFAST" lock x --fail-open "$word" -- \
      sh -c 'echo "$HOLDFAST_HELD ${HOLDFAST_TOKEN-none}"; exit 5'
    expect_stdout_is '0 none'
    expect_stderr_contains "WITHOUT the lock 'x' ($word)"
    expect_code 0 failing "$call" "$errno" "$HOLDFAST" acquire x --owner $$ --fail-open any --json
    expect_json '[.token, .open_reason] | map(tostring) | join(" ")' "null $word"
    events=$((events + 2))
    [ "$(opened)" -eq "$events" ] || fail "$call $errno: on record $(opened) times, not $events"
  done
done
expect_code 0 "$HOLDFAST" journal count --type lock.fail_open --by data.reason --json
expect_json '[.groups[] | "\(.key) \(.count)"] | sort | join(", ")' "eio $((events / 2)), emfile $((events / 2))"

# For real: so many descriptors and no more.
held=0 closed=0
for few in 3 4 5 6 7 8 9 10 11 12 13 14 15 16 20 24; do
  rm -f ran
  code=0
  # shellcheck disable=SC2016,SC3045  # of the command; dash has it
  (ulimit -n "$few" && exec "$HOLDFAST" lock x --fail-open emfile -- sh -c 'echo "$HOLDFAST_HELD" >ran') \
    >"$stdout" 2>"$stderr" || code=$?
  now=$(opened)
  case "$code $(cat ran 2>/dev/null || :) $((now - events))" in
  '0 1 0') held=$((held + 1)) ;;
  '0 0 1') ;;
  '125  0') closed=$((closed + 1)) ;;
  *) fail "with $few descriptors: code $code, held '$(cat ran 2>/dev/null)', $((now - events)) events" ;;
  esac
  events=$now
  code=0
  # shellcheck disable=SC3045
  (ulimit -n "$few" && exec "$HOLDFAST" acquire x --owner $$ --fail-open emfile) >"$stdout" 2>"$stderr" || code=$?
  now=$(opened)
  case "$code $(wc -c <"$stdout") $((now - events))" in
  '0 33 0') expect_code 0 "$HOLDFAST" release x --token "$(cat "$stdout")" ;;
  '0 0 1' | '71 0 0') ;;
  *) fail "with $few descriptors: acquire: code $code, '$(cat "$stdout")', $((now - events)) events" ;;
  esac
  events=$now
done
[ "$((held * closed))" -gt 0 ] || fail "held $held times, closed $closed times"
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state free
