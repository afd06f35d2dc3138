#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The journal beside SQLite and jq: appending, counting, verifying, and how much memory that takes. The
# answers are compared, too: a fast wrong one would not count. Without --full the journal that is read has
# 1 M events (about 250 MB), with it 10 M; it is made in build/ and removed at the end.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
program_dir=$(dirname -- "$HOLDFAST")
helper=$program_dir/holdfast-journal
driver=${BENCH_JOURNAL:-$program_dir/bench/hf_bench_journal}
events=1000000
[ "${BENCH_FULL-}" != yes ] || events=10000000
rounds=${ROUNDS:-5}

mkdir -p ../build
work=$(mktemp -d -p ../build bench-journal.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
table=$work/table
lines=$work/lines

cc -O2 -Wall -Wextra -o "$work/interleave" interleave.c
# As it ships, and where it finds no helper.
mkdir "$work/core"
strip -o "$work/core/holdfast" "$HOLDFAST"
holdfast=$work/core/holdfast

# row WHAT OURS PEER RATIO TARGET: TARGET is empty, or `>=` or `<=` and a number, for RATIO.
row() {
  verdict=$(awk -v ratio="$4" -v target="$5" 'BEGIN {
    if (target == "") { print "-"; exit }
    limit = substr(target, 3) + 0
    met = substr(target, 1, 2) == ">=" ? ratio >= limit : ratio <= limit
    print met ? "met" : "MISSED" }')
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:--}" "$verdict" >>"$table"
}
calc() { awk "BEGIN { printf \"%.$1f\", $2 }"; }
# median NAME, peak NAME: of the last interleaved run.
median() { awk -F '\t' -v name="$1" '$1 == name { us = $2 } END { print us }' "$lines"; }
peak() { awk -F '\t' -v name="$1" '$1 == name { kib = $3 } END { print kib }' "$lines"; }
measure() { "$work/interleave" -o "$lines" "$@"; }

# rates WHAT TARGET PEER ARGUMENT…: a row of rates, the more the better.
rates() {
  what=$1 target=$2 peer_name=$3
  shift 3
  pair=$("$driver" "$@")
  ours=${pair%	*} peer=${pair#*	}
  row "$what" "$ours/s" "$peer_name $peer/s" "$(calc 2 "$ours / $peer")" "$target"
  rm -rf "${work:?}/driver"
  mkdir "$work/driver"
}

appending() {
  echo '-- appending, in one process and in 16 (library)'
  mkdir "$work/driver"
  rates 'append, 1 writer' '>=2.5' 'SQLite NORMAL' append "$work/driver" 200000 20
  rates 'append, 16 durable writers' '>=1.5' 'SQLite FULL, busy_timeout' durable "$work/driver" 8000 5 16
  rates 'same' '>=1.5' 'SQLite FULL, looking again soon' durable-eager "$work/driver" 8000 5 16
}

# The second peer is what SQLite can do at its best: nothing is synced, and somebody else keeps the database
# open, so that the end of the process does not write everything back into it.
process_data='{"lock":"deploy-17","pid":4711,"waited_ms":1500,"reason":"timeout"}'
process() {
  echo '-- appending one event as a process'
  insert="insert into events(wall, writer, type, data) values(1, 'w', 'x.bench', '$process_data');"
  for db in alone kept; do
    sqlite3 "$work/$db.db" 'pragma journal_mode=wal; create table events(seq integer primary key,
      wall integer, writer text, type text, data text);' >/dev/null
  done
  mkfifo "$work/keep"
  sqlite3 "$work/kept.db" <"$work/keep" >/dev/null &
  exec 3>"$work/keep"
  echo 'select count(*) from events;' >&3
  measure "${PROCESS_ROUNDS:-300}" \
    'journal append' "$holdfast" --home "$work/process" journal append --type x.bench \
    --data "$process_data" ::: \
    'sqlite3 insert' sqlite3 "$work/alone.db" "$insert" ::: \
    'sqlite3 insert, kept' sqlite3 "$work/kept.db" "pragma synchronous=normal; $insert"
  exec 3>&-
  wait
  for peer in 'sqlite3 insert' 'sqlite3 insert, kept'; do
    target='<=1.2'
    [ "$peer" = 'sqlite3 insert' ] || target=
    row 'append, as a process' "$(median 'journal append') us" "$peer $(median "$peer") us" \
      "$(calc 2 "$(median 'journal append') / $(median "$peer")")" "$target"
  done
}

# made NAME EVENTS: a journal in the home $work/NAME.
made() {
  "$holdfast" --home "$work/$1" journal append --type x.bench --data '{}' >/dev/null
  "$driver" make "$work/$1/journal" "$2" 1
  sync "$work/$1"/journal/seg-*  # else the writing back is measured, too
}

same_answers() {
  jq -nSc 'reduce inputs as $r ({}; .[$r.e] += 1)' "$work"/small/journal/seg-* >"$work/jq"
  for index in --no-index '' ''; do
    "$holdfast" --home "$work/small" journal count --by type --json ${index:+"$index"} |
      jq -Sc '[.groups[] | {(.key): .count}] | add' >"$work/ours"
    cmp "$work/jq" "$work/ours"
  done
  "$holdfast" --home "$work/small" journal count --by data.lock --no-index >"$work/core.out"
  "$helper" --home "$work/small" journal count --by data.lock --no-index >"$work/helper.out"
  cmp "$work/core.out" "$work/helper.out"
}

counting() {
  echo "-- counting and verifying $events events"
  made small 1000000
  big=small scale=1 scaled=
  if [ "$events" -ne 1000000 ]; then
    big=big scale=10 scaled=' (1 M, times 10)'
    made big "$events"
  fi
  same_answers
  rm -rf "$work"/*/journal/index
  at=$work/$big
  measure "$rounds" \
    'count by type' "$holdfast" --home "$at" journal count --by type --no-index ::: \
    'jq by type' jq -n 'reduce inputs as $r ({}; .[$r.e] += 1)' "$work"/small/journal/seg-* ::: \
    'verify' "$holdfast" --home "$at" journal verify ::: \
    'query' "$holdfast" --home "$at" journal query --json --type x.lock.fail_open
  jq_us=$(calc 0 "$(median 'jq by type') * $scale")
  row 'count by type, no index' "$(calc 0 "$(median 'count by type') / 1000") ms" \
    "jq$scaled $(calc 0 "$jq_us / 1000") ms" "$(calc 1 "$jq_us / $(median 'count by type')")" '>=30'
  row 'verify, M records/s' "$(calc 2 "$events / $(median verify)")" - \
    "$(calc 2 "$events / $(median verify)")" '>=2'
  for what in 'count by type' verify query; do
    row "peak memory of $what, MiB" "$(calc 1 "$(peak "$what") / 1024")" - \
      "$(calc 1 "$(peak "$what") / 1024")" '<=64'
  done

  "$holdfast" --home "$at" journal count --by type >/dev/null  # makes the index
  measure 20 'indexed' "$holdfast" --home "$at" journal count --by type
  row 'count by type with index, ms' "$(calc 1 "$(median indexed) / 1000")" - \
    "$(calc 1 "$(median indexed) / 1000")" '<=50'
}

parsing() {
  echo '-- counting by a field of the data, 1 M events'
  measure "$rounds" \
    'core' "$holdfast" --home "$work/small" journal count --by data.lock --no-index ::: \
    'helper' "$helper" --home "$work/small" journal count --by data.lock --no-index ::: \
    'helper, last field' "$helper" --home "$work/small" journal count --by data.reason --no-index ::: \
    'core, last field' "$holdfast" --home "$work/small" journal count --by data.reason --no-index ::: \
    'jq by data' jq -n 'reduce inputs as $r ({}; .[$r.d.lock // "(none)"] += 1)' \
    "$work"/small/journal/seg-*
  for which in '' ', last field'; do
    row "count by data$which: helper" "$(calc 0 "$(median "helper$which") / 1000") ms" \
      "core $(calc 0 "$(median "core$which") / 1000") ms" \
      "$(calc 2 "$(median "core$which") / $(median "helper$which")")" ''
  done
  row 'count by data: helper' "$(calc 0 "$(median helper) / 1000") ms" \
    "jq $(calc 0 "$(median 'jq by data') / 1000") ms" \
    "$(calc 1 "$(median 'jq by data') / $(median helper)")" ''
  row 'peak memory of the helper, MiB' "$(calc 1 "$(peak helper) / 1024")" - \
    "$(calc 1 "$(peak helper) / 1024")" '<=64'
}

appending
process
counting
parsing
echo
{ printf 'what\tours\tpeer\tratio\ttarget\t\n'; cat "$table"; } | awk -F '\t' '
  { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
  END {
    for (n = 1; n <= NR; n++) {
      for (i = 1; i < 6; i++) printf "%-" (width[i] + 2) "s", cell[n, i]
      print cell[n, 6]
    }
  }'
