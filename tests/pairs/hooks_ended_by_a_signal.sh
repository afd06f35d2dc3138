#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A hook that waits and is ended by a signal blocks (2) and says so: hosts read 128+n as permission.
. "$(dirname -- "$0")/../lib/lib.sh"

: >f
mkfifo held go in
"$HOLDFAST" lock named -- "$HOLDFAST" lock --file f -- sh -c 'echo >held; read -r _ <go' &
holder=$! hook=
read -r _ <held
trap 'exec 8<>go; echo >&8; [ -z "$hook" ] || kill -s KILL "$hook" 2>/dev/null || :; remove_scratch' EXIT
started=0
# ended SIGNAL COMMAND…: COMMAND waits, or is about to, when the signal comes.
ended() {
  signal=$1
  shift
  "$HOLDFAST" "$@" <in >/dev/null 2>"$stderr" &
  hook=$!
  exec 9>in
  started=$((started + 1))
  until [ "$("$HOLDFAST" journal count --type hook.started)" -eq "$started" ]; do :; done
  kill -s "$signal" "$hook"
  code=0
  wait "$hook" || code=$?
  exec 9>&-
  [ "$code" -eq 2 ] || fail "exit code $code after $signal, not 2: $*"
}
for signal in TERM HUP; do
  ended "$signal" lock named --hook -w 30s -- touch ran
  expect_stderr_contains 'the hook blocks'
  ended "$signal" lock --file f --hook -w 30s -- touch ran
  ended "$signal" acquire named --hook -w 30s --owner $$
  ended "$signal" write f --hook -w 30s --allow-unchecked
  ended "$signal" update f --hook -w 30s -- touch ran
  ended "$signal" block put f --id a --hook --wait 30s
  ended "$signal" notify k --hook -- touch ran
  ended "$signal" journal follow --hook
  ended "$signal" run --lock named --hook -w 30s -- touch ran
  ended "$signal" until --hook --every 10s -- false
done
echo >go
wait "$holder"
[ ! -e ran ] || fail 'something ran'
