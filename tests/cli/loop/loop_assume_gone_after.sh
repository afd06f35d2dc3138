#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without control groups, a killed supervisor leaves a run whose end nobody can prove. With `assume_gone_after` the loop
# goes on once nobody of it was seen for so long, and never while somebody lives.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups
make_world

# The supervisor and the command are killed, and somebody of the tree lives on until `go` comes.
script agent <<'X'
echo "run $1" >>story
if [ "$1" = a ] && [ ! -e killed ]; then
  : >killed
  (exec setsid sh -c 'echo $$ >left; read -r _ <go') &
  until [ -s left ]; do :; done
  kill -s KILL "$PPID"
  kill -s KILL $$
fi
echo yes >"merged.$1"
X
mkfifo go
loop_file 'assume_gone_after = "1s"'
sed -i 's/^concurrency.*/concurrency = 1/' fix.toml
items a b

"$HOLDFAST" loop fix.toml --no-wait || fail 'the first pass'
"$HOLDFAST" wait fix-a --until orphaned --timeout 20 || fail 'fix-a is no orphan'
"$HOLDFAST" loop fix.toml >"$scratch/loop.out" 2>&1 &
loop=$!
trap 'kill "$loop" 2>/dev/null || :; [ ! -s left ] || kill "$(cat left)" 2>/dev/null || :; remove_scratch' EXIT

# It holds its place while somebody carries its run id. Three seconds are three times what would do otherwise.
expect_code 124 timeout 3 tail --pid="$loop" -f /dev/null
[ "$(grep -c '^run' story)" -eq 1 ] || fail "something was begun beside it: $(cat story)"
[ "$(item a .state)" = running ] || fail "the item is $(item a .state)"

echo go >go
tries=0
until [ "$(item b .state)" = 'done' ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 200 ] || fail "nothing goes on: $(cat "$scratch/loop.out")"
  timeout 0.1 tail --pid="$loop" -f /dev/null || :
done
kill "$loop"
wait "$loop" || :
grep -q 'assumed to be gone' "$scratch/loop.out" || fail 'nobody was told'
expect_code 0 "$HOLDFAST" journal query --type session.stopping
grep -q 'assumed-gone.*fix-a\|fix-a.*assumed-gone' "$stdout" || fail 'the decision is not on record'
