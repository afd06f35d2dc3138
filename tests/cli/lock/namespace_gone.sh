#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A holder or a run that died with its container, that is with its pid namespace, is dead by proof: its lock and its
# name are free without anybody's help. As long as a process of that namespace is left, nobody gets them.
# label: system
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes
[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip 'this is no place to see all processes from'
inside='unshare --map-root-user --pid --fork --kill-child --mount-proc'
$inside true 2>/dev/null || skip 'no pid namespaces here'

mkfifo ready locked running
# shellcheck disable=SC2016
$inside sh -c '
  "$HOLDFAST" lock L -- sh -c "echo >locked; exec sleep 1000" &
  "$HOLDFAST" run --name N -- sh -c "echo >running; exec sleep 1000" &
  "$HOLDFAST" acquire K --owner 1 >/dev/null
  read -r _ <locked
  read -r _ <running
  echo >ready
  exec sleep 1000' 2>errors &
outer=$!
read -r _ <ready
init=$(tr -d ' ' <"/proc/$outer/task/$outer/children")
expect_code 75 "$HOLDFAST" lock L --wait 0s -- true
expect_code 75 "$HOLDFAST" acquire K --owner $$ --wait 0s
expect_code 75 "$HOLDFAST" run --name N -- true
expect_code 69 "$HOLDFAST" show N --json

kill -9 "$init"
wait "$outer" 2>/dev/null || :
expect_code 0 "$HOLDFAST" lock L -- true
expect_code 0 "$HOLDFAST" acquire K --owner $$
expect_code 0 "$HOLDFAST" show N --json
expect_json .state lost
expect_code 0 "$HOLDFAST" run --name N -- true
