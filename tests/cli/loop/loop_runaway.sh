#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A runaway is ended by its deadline with all that it started; an orphan gets a new supervisor; and as long as a run is
# not proven to be over, nothing is begun beside it.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file 'timeout = "1s"' 'grace = "100ms"' 'attempts = 2'
sed -i 's/^concurrency.*/concurrency = 1/' fix.toml
items a b
script agent <<'X'
echo "run $1" >>story
[ "$1" = a ] || { echo yes >merged.$1; exit 0; }
trap '' TERM
setsid sleep 1000 &
echo $! >runaway
sleep 1000
X
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item a waiting
expect_item b 'done'
[ "$(item a .reason)" = ended-by-force ] || fail "$(item a .reason)"
expect_times 1 'verify a no'
! kill -0 "$(cat runaway)" 2>/dev/null || fail 'what the runaway had started lives'

# Its supervisor is killed: the loop gives it a new one, which keeps the deadline.
"$HOLDFAST" run --name probe -- true
if [ "$(jq -r .containment "$HOLDFAST_HOME/sessions/probe/session.json")" = cgroup ]; then
  items c
  mkfifo gate
  script agent <<'X'
echo "run $1" >>story
read -r _ <gate
echo yes >merged.$1
X
  sed -i 's/^timeout.*/timeout = "1h"/' fix.toml
  expect_code 0 "$HOLDFAST" loop fix.toml --no-wait
  expect_item c running
  kill -KILL "$(jq .supervisor.pid "$HOLDFAST_HOME/sessions/fix-c/session.json")"
  until [ "$("$HOLDFAST" show fix-c --json | jq -r .state)" = orphaned ]; do :; done
  items c d
  expect_code 0 "$HOLDFAST" loop fix.toml --no-wait
  expect_item c running
  expect_item d waiting
  expect_times 0 'run d'
  [ "$(jq .adopted "$HOLDFAST_HOME/sessions/fix-c/session.json")" = true ] || fail 'nobody adopted it'
  echo go >gate
  "$HOLDFAST" wait fix-c >/dev/null 2>&1 || :
  rm gate && touch gate
  expect_code 0 "$HOLDFAST" loop fix.toml --once
  expect_item c 'done'
  expect_item d 'done'
  expect_times 1 'run c'
fi
