#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The clean-up beside `rm -rf` of the same tree, and the planning alone. Works in build/, so on the file system of
# the tree. SESSIONS (100000) dead sessions with FILES (10) files each; the two are measured in turn, ROUNDS (3) times,
# and the best of each counts.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
mkdir -p ../build
work=$(mktemp -d -p "$(cd -P ../build && pwd)" bench-gc.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cc -O2 -Wall -Wextra -o "$work/make" gc_make.c
strip -o "$work/holdfast" "$HOLDFAST"
export HOLDFAST_HOME="$work/home"
sessions=$HOLDFAST_HOME/sessions
count=${SESSIONS:-100000} files=${FILES:-10}

"$work/holdfast" session new s-000000 --owner none >/dev/null
"$work/holdfast" session end s-000000 --force >/dev/null
token=$(sed -n 's/.*"token":"\([0-9a-f]*\)".*/\1/p' "$sessions/s-000000/harness.json")
[ -z "$token" ] || "$work/holdfast" session detach s-000000 --token "$token" >/dev/null
cp "$sessions/s-000000/harness.json" "$work/template"
rm -r "$sessions/s-000000"

now() { date +%s%N; }
# timed WHAT CMD…: seconds into $took, peak KiB into $peak.
timed() {
  sync
  begin=$(now)
  /usr/bin/time -f %M -o "$work/peak" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
  took=$(( ($(now) - begin) / 1000000 ))
  peak=$(tail -n 1 "$work/peak")
}
least() { [ "$1" -eq 0 ] || [ "$2" -lt "$1" ] && echo "$2" || echo "$1"; }

ours=0 rm=0 plan=0
for _ in $(seq "${ROUNDS:-3}"); do
  "$work/make" "$work/template" "$sessions" "$count" "$files"
  timed "$work/holdfast" gc --grace 0 --plan
  plan=$(least "$plan" "$took")
  plan_peak=$peak
  timed "$work/holdfast" gc --grace 0 --trash-for 0 --json
  ours=$(least "$ours" "$took")
  mkdir "$work/tree"
  "$work/make" "$work/template" "$work/tree" "$count" "$files"
  timed rm -rf "$work/tree"
  rm=$(least "$rm" "$took")
  echo "round: plan $plan ms (peak $plan_peak KiB), gc $ours ms, rm -rf $rm ms"
done
awk -v ours="$ours" -v rm="$rm" -v plan="$plan" -v peak="$plan_peak" -v count="$count" 'BEGIN {
  ratio = ours / rm
  printf "gc of %d\t%d ms\trm -rf %d ms\t%.2f\t<=1.2\t%s\n", count, ours, rm, ratio, ratio <= 1.2 ? "met" : "MISSED"
  printf "planning %d\t%d ms\t\t\t<=1000 ms\t%s\n", count, plan, plan <= 1000 ? "met" : "MISSED"
  printf "its peak\t%d KiB\t\t\t<=65536 KiB\t%s\n", peak, peak <= 65536 ? "met" : "MISSED" }'
