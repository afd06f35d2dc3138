#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A script's flock, by link ours, and holdfast's own lock of a file exclude each other on the sidecar `.NAME.lock`.
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks

printf old >f
expect_code 75 "$ours" .f.lock "$HOLDFAST" update f --wait 100ms -- printf new
[ "$(cat f)" = old ] || fail 'updated under a foreign lock'
expect_code 0 "$HOLDFAST" update f -- sh -c '"$1" -n .f.lock true; echo $?' sh "$ours"
[ "$(cat f)" = 1 ] || fail 'locked under an update'
[ ! -s .f.lock ] || fail 'the sidecar was written'
[ "$(ls -A "$HOLDFAST_HOME/locks")" = .fence ] || fail 'a named lock was made'
