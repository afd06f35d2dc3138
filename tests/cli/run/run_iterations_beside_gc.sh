#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A clean-up that takes the directory of a session whose last run is over, while the first iteration of a series waits
# for the name, takes nothing from the series: it runs in a new directory.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"

"$HOLDFAST" run --name s --iterations 1 -- true 2>"$stderr"
mkfifo held go
"$HOLDFAST" lock session:s -- sh -c 'echo >held; read -r _ <go' &
holder=$!
read -r _ <held
"$HOLDFAST" run --name s --iterations 2 -- sh -c 'echo ran >>ran' 2>"$stderr" &
series=$!
until "$HOLDFAST" locks session:s --json | jq -e '.waiters | length == 1' >/dev/null; do
  kill -0 "$series" || fail 'the series ended before its first iteration'
done
mv "$HOLDFAST_HOME/sessions/s" trash
echo >go
wait "$holder"
wait "$series" || fail "exit code $?"
[ "$(wc -l <ran)" -eq 2 ] || fail "ran $(wc -l <ran) times"
[ -f "$HOLDFAST_HOME/sessions/s/series.json" ] || fail 'the series left no record'
