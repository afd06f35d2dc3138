#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whoever runs in a session under its name keeps it, also where the run begins while gc rescues another one's files.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

ended web
mkfifo begin
# The rescue tries to run in the very session; the name is gc's, so nothing starts.
expect_code 0 gc --rescue "'$HOLDFAST' run --name web -- touch '$PWD/ran'; echo \$? >'$PWD/code'" --json
[ "$(cat code)" = 75 ] || fail "the run ended with $(cat code)"
[ ! -e ran ] || fail 'it ran in a session that was going'

# And the other way round.
ended job
"$HOLDFAST" run --name job -- sh -c 'echo up >begin; read line <begin' &
read -r line <begin
expect_code 0 gc --json
[ -n "$(reason_of kept job)" ] || fail 'a session with a run in it was not kept'
[ -d "$sessions/job" ] || fail 'it went'
echo "$line" >begin
wait

# A session in which nothing was ever run goes without leaving a ledger of its name behind.
ended quiet
expect_code 0 gc --json
expect_reason removed quiet ended
[ -z "$(find "$HOLDFAST_HOME/locks" -name '*quiet*')" ] || fail 'a ledger was made for nothing'
