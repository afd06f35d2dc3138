#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that ends its tree does not free a lock whose owner is still at work in its TERM trap; the end takes no longer.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers

mkfifo up trapped go
cat >work.sh <<'END'
trap 'echo >trapped; read -r _ <go; exit 0' TERM
"$HOLDFAST" acquire x >token || exit
echo >up
while :; do sleep 60 & wait "$!"; done
END
"$HOLDFAST" run --name work --grace 30s -- sh work.sh 2>"$stderr" &
run=$!
read -r _ <up
"$HOLDFAST" stop work >/dev/null 2>&1 &
stop=$!
read -r _ <trapped
expect_code 75 "$HOLDFAST" acquire x -w 300ms
expect_code 0 "$HOLDFAST" check x --token @token
echo >go
wait "$run" || :
wait "$stop" || :
# The keeper went with its owner: nothing was left to be killed after the grace.
[ -z "$(keepers)" ] || fail 'the keeper is left'
expect_code 0 "$HOLDFAST" acquire x -n
