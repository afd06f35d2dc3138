#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Under a lock that the chain already holds, acquire answers with the same token and changes nothing.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

expect_code 0 "$HOLDFAST" lock x -- sh -c '
  T=$("$HOLDFAST" acquire x -n) || exit
  [ "$T" = "$HOLDFAST_TOKEN" ] && "$HOLDFAST" check x && "$HOLDFAST" acquire x -n --json'
expect_json .reentered true
[ -z "$(keepers)" ] || fail 'it has a keeper'
expect_code 0 "$HOLDFAST" acquire x -n
