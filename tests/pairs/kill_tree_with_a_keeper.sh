#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `kill --tree` of a shell that holds a lock by `acquire`: the lock is free when the shell is gone, and not before, and
# the keeper is no survivor.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

tidy_keepers
mkfifo up trapped go
cat >work.sh <<'END'
trap 'echo >trapped; read -r _ <go; exit 0' TERM
"$HOLDFAST" acquire x >token || exit
"$HOLDFAST" identify $$ >id
echo >up
while :; do sleep 60 & wait "$!"; done
END
sh work.sh &
work=$!
read -r _ <up
"$HOLDFAST" kill @id --tree --grace 30s --json >killed 2>/dev/null &
killer=$!
read -r _ <trapped
expect_code 75 "$HOLDFAST" acquire x -w 300ms
expect_code 0 "$HOLDFAST" check x --token @token
echo >go
wait "$work" || :
code=0
wait "$killer" || code=$?
cp killed "$stdout"
[ "$code" -eq 69 ] || fail "kill ended with $code"
expect_json '[.outcome, (.survivors // [] | length)] | join(" ")' 'unproven 0'
expect_code 0 "$HOLDFAST" acquire x -w 5s --owner $$
