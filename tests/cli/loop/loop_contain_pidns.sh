#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without control groups, `contain = "pidns"` in a loop file: a killed supervisor takes the whole tree of its run along,
# so a loop that does one thing at a time goes on by itself.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups
"$HOLDFAST" run --contain pidns -- true 2>"$stderr" || skip "no pid namespace here: $(cat "$stderr")"
make_world

script agent <<'X'
echo "run $1" >>story
if [ "$1" = a ] && [ ! -e killed ]; then
  : >killed
  setsid env -i sleep 1000 &
  exec sleep 1000
fi
echo yes >"merged.$1"
X
loop_file 'contain = "pidns"' 'backoff = "0s"'
sed -i 's/^concurrency.*/concurrency = 1/' fix.toml
items a b
expect_code 0 "$HOLDFAST" loop fix.toml --no-wait
tries=0
until [ -e killed ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 400 ] || fail 'nothing began'
  sleep 0.05
done
expect_record fix-a .containment pidns
kill -s KILL "$(record fix-a .supervisor.pid)"
expect_code 0 "$HOLDFAST" wait fix-a --until lost --timeout 20
# What became of the run nobody knows, so the world was asked before it was tried again.
"$HOLDFAST" loop fix.toml --once >"$stdout" 2>"$stderr" || fail 'the loop does not go on'
"$HOLDFAST" loop fix.toml --once >"$stdout" 2>"$stderr" || fail 'the loop does not go on'
expect_item a 'done'
expect_item b 'done'
[ "$(grep -n 'verify a no' story | cut -d: -f1)" -lt "$(grep -n '^run a' story | tail -n 1 | cut -d: -f1)" ] ||
  fail "tried again before the world was asked: $(cat story)"
loop_file 'contain = "jail"'
expect_code 78 "$HOLDFAST" loop --once fix.toml
