#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A pass of a loop over ITEMS (10000) items of which none is due: how long it takes, the start of the program and the
# source (`cat`) included, and how much memory. Half of the items are done, half wait for their next attempt. In turn
# with `cat` of the same file, ROUNDS (20) times; the median counts. Works in build/, so on the file system of the tree.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
mkdir -p ../build
work=$(mktemp -d -p "$(cd -P ../build && pwd)" bench-loop.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
HOLDFAST_HOME=$work/home
export HOLDFAST_HOME
strip -o "$work/holdfast" "$HOLDFAST"
hf=$work/holdfast
make=${HOLDFAST%/*}/bench/hf_bench_loop_make
count=${ITEMS:-10000}
cd "$work"
cat >bench.toml <<'X'
[loop]
source = ["cat", "items"]
run = ["false"]
backoff = ["10h"]
X
echo '{"id":"0"}' >items
"$hf" loop bench.toml --once -q 2>/dev/null
grep '"state":"waiting"' "$HOLDFAST_HOME/loops/bench/items.log" | tail -n 1 >line
"$make" "$count" <line >"$HOLDFAST_HOME/loops/bench/items.log"
awk -v n="$count" 'BEGIN { for (i = 0; i < n; i++) printf "{\"id\":\"%d\",\"title\":\"fix what is wrong with number %d\",\"labels\":[\"ready\",\"agent\"],\"author\":{\"login\":\"ann\"}}\n", i, i }' >items
now() { date +%s%N; }
i=0
while [ "$i" -lt "${ROUNDS:-20}" ]; do
  begin=$(now)
  /usr/bin/time -f %M -a -o peaks "$hf" loop bench.toml --once -q >out
  echo $((($(now) - begin) / 1000)) >>ours
  begin=$(now)
  cat items >/dev/null
  echo $((($(now) - begin) / 1000)) >>cats
  i=$((i + 1))
done
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
grep -q 'waiting' out
echo "a pass over $count items, none due: $(($(median ours) / 1000)) ms (target: 200), peak $(($(sort -n peaks | tail -n 1) / 1024)) MiB (target: 64); cat of the source alone $(median cats) us"
echo "the log: $(wc -c <"$HOLDFAST_HOME/loops/bench/items.log") bytes, the source: $(wc -c <items) bytes"
