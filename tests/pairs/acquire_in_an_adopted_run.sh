#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The keeper of `acquire` inside an adopted run is none of its processes: the adopter neither ends it while its owner works
# on, nor waits for it.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
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
{ read -r _ <up; echo >ready; } &
orphan a --grace 30s -- sh work.sh
need_group
wait "$!"
expect_code 0 "$HOLDFAST" adopt a
"$HOLDFAST" stop a >/dev/null 2>&1 &
stop=$!
read -r _ <trapped
expect_code 75 "$HOLDFAST" acquire x -w 300ms
expect_code 0 "$HOLDFAST" check x --token @token
echo >go
wait "$stop" || fail 'the adopted run did not end'
[ -z "$(keepers)" ] || fail 'the keeper is left'
expect_code 0 "$HOLDFAST" acquire x -n --owner $$
