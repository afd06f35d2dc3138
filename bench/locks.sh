#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Locks beside flock: the system call in the library's rows, flock(1) in that of the command. Works in build/,
# so on the file system of the tree. A loaded machine moves the contended rows most.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
program_dir=$(dirname -- "$HOLDFAST")
driver=${BENCH_LOCKS:-$program_dir/bench/hf_bench_locks}
mkdir -p ../build
work=$(mktemp -d -p "$(cd -P ../build && pwd)" bench-locks.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
table=$work/table
lines=$work/lines
cc -O2 -Wall -Wextra -o "$work/interleave" interleave.c
strip -o "$work/holdfast" "$HOLDFAST"
export HOLDFAST_HOME="$work/home"

# row WHAT OURS BESIDE VALUE TARGET: TARGET is `<=` or `>=` and a number, for VALUE.
row() {
  verdict=$(awk -v value="$4" -v target="$5" 'BEGIN {
    limit = substr(target, 3) + 0
    good = substr(target, 1, 2) == "<=" ? value <= limit : value >= limit
    print good ? "met" : "MISSED" }')
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" "$verdict" >>"$table"
}
calc() { awk "BEGIN { printf \"%.$1f\", $2 }"; }
# field NAME NUMBER: of the line NAME of the last run of the driver.
field() { awk -F '\t' -v name="$1" -v at="$2" '$1 == name { print $at }' "$lines"; }
drive() {
  mkdir -m 700 "$work/locks"
  what=$1
  shift
  "$driver" "$what" "$work/locks" "$@" >"$lines"
  rm -r "$work/locks"
  cat "$lines"
}

uncontended() {
  echo '-- acquire and release of a free lock, in one process: us'
  drive pair "${ROUNDS:-300}"
  raw=$(field raw 2)
  for way in cached:2.6 opened:5; do
    ours=$(field "${way%:*}, traced" 2)
    row "acquire and release, ${way%:*}" "$ours us" "open, flock, close $raw us" \
      "$(calc 2 "$ours / $raw")" "<=${way#*:}"
  done
}

wrapping() {
  echo '-- around /bin/true'
  : >"$work/file"
  : >"$lines"
  "$work/interleave" -o "$lines" "${ROUNDS:-300}" 'flock' flock "$work/file" true ::: \
    'holdfast lock' "$work/holdfast" lock bench -- true ::: \
    'true alone' true
  ours=$(field 'holdfast lock' 2) flock=$(field flock 2)
  row 'lock x -- true' "$ours us" "flock f true $flock us" "$(calc 2 "$ours / $flock")" '<=1.0'
}

contended() {
  for think in 200 0; do
    echo "-- eight processes, hold 20 us, think $think us: grants/s, Jain, p99 wait in us, CPU s"
    drive contend "$think" "${SECONDS_EACH:-5}"
    row "contended, think $think us: grants" "$(field ours 2) /s" "flock $(field flock 2) /s" "$(field ratio 2)" '>=0.8'
    row "contended, think $think us: Jain" "$(field ours 3)" "flock $(field flock 3)" "$(field ours 3)" '>=0.99'
  done
}

waiting() {
  echo '-- waiting for two seconds: CPU ms, heap bytes'
  drive idle 8 1000
  row '8 processes wait 2 s: CPU' "$(field processes 2) ms" '-' "$(field processes 2)" '<=1'
  row '1000 threads wait 2 s: CPU' "$(field threads 2) ms" '-' "$(field threads 2)" '<=5'
  row 'heap of a waiting thread' "$(field threads 3) B" '-' "$(field threads 3)" '<=4096'
}

recovering() {
  echo '-- the holder is killed: us to the next grant, p50 and p99'
  drive recover "${KILLS:-200}"
  row 'killed to next grant, p50' "$(field ours 2) us" "flock $(field flock 2) us" "$(field ours 2)" '<=1000'
  row 'killed to next grant, p99' "$(field ours 3) us" "flock $(field flock 3) us" "$(field ours 3)" '<=1000'
}

uncontended
wrapping
contended
waiting
recovering
echo
awk -F '\t' 'BEGIN { printf "%-36s %12s  %-28s %8s %8s  %s\n", "what", "ours", "beside", "value", "target", "" }
  { printf "%-36s %12s  %-28s %8s %8s  %s\n", $1, $2, $3, $4, $5, $6 }' "$table"
