#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# How long a step takes to decide that nothing is to be done, the start of the program included: the median of ROUNDS
# (300) calls each, in turn with the start alone. Works in build/, so on the file system of the tree. KEYS (1000) steps
# lie in the same home.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
mkdir -p ../build
work=$(mktemp -d -p "$(cd -P ../build && pwd)" bench-steps.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
HOLDFAST_HOME=$work/home
export HOLDFAST_HOME
strip -o "$work/holdfast" "$HOLDFAST"
hf=$work/holdfast
cc -O2 -Wall -Wextra -o "$work/interleave" interleave.c

"$hf" once k -- true
"$hf" attempt k --max 3 -- true
echo text >"$work/text"
"$hf" notify k -- true <"$work/text"
i=0
while [ "$i" -lt "${KEYS:-1000}" ]; do
  sed "s/\"key\":\"k\"/\"key\":\"k$i\"/" "$HOLDFAST_HOME/once/once%3Ak.json" >"$HOLDFAST_HOME/once/once%3Ak$i.json"
  i=$((i + 1))
done

"$work/interleave" -o "$work/lines" "${ROUNDS:-300}" 'start' "$hf" --version ::: \
  'once' "$hf" once -q k -- true ::: \
  'attempt' "$hf" attempt -q k --max 3 -- true ::: \
  'sh, start' sh -c "exec '$hf' --version" ::: \
  'sh, notify' sh -c "exec '$hf' notify -q k -- true <'$work/text'"
field() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/lines"; }
# row STEP MICROSECONDS
row() {
  awk -v name="$1" -v us="$2" -v start="$(field start)" 'BEGIN {
    printf "%s decides\t%d us\t(start alone %d us)\t<=2000 us\t%s\n", name, us, start, us <= 2000 ? "met" : "MISSED" }'
}
row once "$(field once)"
row attempt "$(field attempt)"
# The shell is there for the standard input only.
row notify "$(awk -v a="$(field 'sh, notify')" -v b="$(field 'sh, start')" -v c="$(field start)" 'BEGIN { print a - b + c }')"
