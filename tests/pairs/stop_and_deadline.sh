#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A deadline that passes in the grace of `stop`, and a `stop` in the grace of a deadline: one end, one reason, the first
# one's, and the shorter of the two times.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

# stubborn NAME OPTION…: it does not hear TERM; $name is a FIFO that is open as long as it lives.
stubborn() {
  mkfifo "$1"
  # shellcheck disable=SC2016
  "$HOLDFAST" run --detach --name "$@" -- sh -c 'trap "" TERM; exec 5>"$0"; echo >&5; while :; do sleep 600; done' "$1" >/dev/null &
}
# Both deadlines are far enough away for `stop` to be first on a busy machine, too.
stubborn a --timeout 6s --grace 100ms
exec 6<a
read -r _ <&6
expect_code 69 "$HOLDFAST" stop a --grace 1h --wait 0s
# The same of one that was adopted.
mkfifo c
# shellcheck disable=SC2016
orphan c --timeout 8s --grace 100ms -- sh -c 'trap "" TERM; exec 5>"$0"; while :; do sleep 600; done' c &
exec 7<c
wait "$!"
if "$HOLDFAST" adopt c >/dev/null 2>&1; then
  expect_code 69 "$HOLDFAST" stop c --grace 1h --wait 0s
  cat <&7
  wait_for_end c
  # Without a control group nobody can tell that nothing of an adopted run is left.
  reason=stopped
  [ "$(record c .containment)" = cgroup ] || reason=unproven
  expect_record c .reason "$reason"
else
  "$HOLDFAST" stop c --grace 0s || :
fi
cat <&6 # until nobody is left of a
stubborn b --timeout 300ms --grace 1h
exec 6<b
read -r _ <&6
"$HOLDFAST" wait b --until stopping >/dev/null
expect_code 0 "$HOLDFAST" stop b --grace 0s
cat <&6
wait_for_end a
expect_record a .reason stopped
expect_record b .reason deadline
for name in a b; do
  [ "$("$HOLDFAST" journal query --type session.ended --json | grep -c "\"name\":\"$name\"")" -eq 1 ] || fail 'not one end on record'
done
