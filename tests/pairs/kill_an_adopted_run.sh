#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `kill` of an adopted run, and of its tree, ends it, and the adopter writes the final record.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

for how in '' --tree; do
  orphan "n$how" -- sh -c 'setsid sleep 600 & wait'
  need_group
  expect_code 0 "$HOLDFAST" adopt "n$how"
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" kill "n$how" $how --grace 1s --json
  expect_json .outcome killed
  code=0
  "$HOLDFAST" wait "n$how" >/dev/null || code=$?
  case $(record "n$how" .state):$code in
    exited:143 | killed:143) ;;
    lost:69) ;; # a kernel that does not say how it ended
    *) fail "$how: $(record "n$how" .state), $code" ;;
  esac
  expect_group_gone
  [ "$("$HOLDFAST" journal query --type session.ended --json | grep -c "\"name\":\"n$how\"")" -eq 1 ] || fail 'not one end on record'
done
