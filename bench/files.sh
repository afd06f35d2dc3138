#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Safe files beside what people use instead: the bare system calls, cp and mv, sed, a loop of lstat. The
# results are compared, too. Works in build/, so on the file system of the tree.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
program_dir=$(dirname -- "$HOLDFAST")
driver=${BENCH_FILES:-$program_dir/bench/hf_bench_files}
mkdir -p ../build
work=$(mktemp -d -p "$(cd -P ../build && pwd)" bench-files.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
table=$work/table
lines=$work/lines
cc -O2 -Wall -Wextra -o "$work/interleave" interleave.c
strip -o "$work/holdfast" "$HOLDFAST"
holdfast=$work/holdfast
export HOLDFAST_HOME="$work/home"

# row WHAT OURS PEER RATIO TARGET: TARGET is empty, or `<=` and a number, for RATIO.
row() {
  verdict=$(awk -v ratio="$4" -v target="$5" 'BEGIN {
    if (target == "") print "-"; else print (ratio <= substr(target, 3) + 0) ? "met" : "MISSED" }')
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:--}" "$verdict" >>"$table"
}
calc() { awk "BEGIN { printf \"%.$1f\", $2 }"; }
median() { awk -F '\t' -v name="$1" '$1 == name { us = $2 } END { print us }' "$lines"; }
peak() { awk -F '\t' -v name="$1" '$1 == name { kib = $3 } END { print kib }' "$lines"; }
measure() { "$work/interleave" -o "$lines" "$@"; }
# compared WHAT OURS PEER TARGET: a row of the last interleaved run.
compared() {
  row "$1" "$(median "$2") us" "$3 $(median "$3") us" "$(calc 2 "$(median "$2") / $(median "$3")")" "$4"
}

replacing() {
  echo '-- replacing 1 KiB, in one process (library)'
  mkdir "$work/replace"
  for level in none data full; do
    pair=$("$driver" "$work/replace" "$level" "${REPLACES:-1000}")
    ours=${pair%	*} raw=${pair#*	}
    row "replace 1 KiB, $level" "$ours us" "bare calls $raw us" "$(calc 2 "$ours / $raw")" '<=1.15'
  done
}

processes() {
  echo '-- replacing as a process'
  mkdir "$work/process"
  head -c 1024 /dev/urandom >"$work/process/a"
  head -c 1024 /dev/urandom >"$work/process/b"
  at=$work/process  # two contents in turn, so that every write is one
  measure "${ROUNDS:-300}" \
    'write, none' sh -c "'$holdfast' write --durability none --from '$at/a' '$at/none'
                         exec '$holdfast' write --durability none --from '$at/b' '$at/none'" ::: \
    'write, full' sh -c "'$holdfast' write --from '$at/a' '$at/full'
                         exec '$holdfast' write --from '$at/b' '$at/full'" ::: \
    'cp and mv, twice, synced' sh -c "cp '$at/a' '$at/tmp' && sync '$at/tmp' && mv '$at/tmp' '$at/peer' && sync '$at'
                         cp '$at/b' '$at/tmp' && sync '$at/tmp' && mv '$at/tmp' '$at/peer' && sync '$at'" ::: \
    'cp and mv, twice' sh -c "cp '$at/a' '$at/tmp' && mv '$at/tmp' '$at/peer'
                         cp '$at/b' '$at/tmp' && mv '$at/tmp' '$at/peer'"
  compared 'write 1 KiB as a process, none' 'write, none' 'cp and mv, twice' '<=1.3'
  compared 'write 1 KiB as a process, full' 'write, full' 'cp and mv, twice, synced' '<=1.3'
  cmp "$at/b" "$at/none"
  cmp "$at/b" "$at/full"
}

streaming() {
  echo '-- 64 MiB'
  head -c 67108864 /dev/urandom >"$work/big"
  rm -f "$work/from" "$work/made"
  measure 5 \
    'write --from, 64 MiB' sh -c "rm -f '$work/from'; exec '$holdfast' write --durability none --from '$work/big' '$work/from'" ::: \
    'write -- cat, 64 MiB' sh -c "rm -f '$work/made'; exec '$holdfast' write --durability none '$work/made' -- cat '$work/big'" ::: \
    'cp, 64 MiB' sh -c "rm -f '$work/copy'; exec cp --reflink=never '$work/big' '$work/copy'"
  cmp "$work/big" "$work/from"
  cmp "$work/big" "$work/made"
  compared 'write --from, 64 MiB' 'write --from, 64 MiB' 'cp, 64 MiB' ''
  for what in 'write --from, 64 MiB' 'write -- cat, 64 MiB'; do
    row "$what: memory" "$(peak "$what") KiB" '8 MiB' "$(calc 2 "$(peak "$what") / 8192")" '<=1.0'
  done
}

blocks() {
  echo '-- a block in a file of 10 MB'
  awk 'BEGIN { for (i = 0; i < 160000; ++i) printf "line %06d of a file that somebody wrote by hand, and keeps\n", i }' >"$work/text"
  cp "$work/text" "$work/block.conf"
  echo first | "$holdfast" block put "$work/block.conf" --id bench
  measure 20 \
    'block put, twice' sh -c "echo one | '$holdfast' block put --durability none '$work/block.conf' --id bench
                        echo two | '$holdfast' block put --durability none '$work/block.conf' --id bench" ::: \
    'sed, twice' sh -c "sed -i 's/^line 080000 .*/one/' '$work/text'; sed -i 's/^one/line 080000 x/' '$work/text'"
  row 'block edit, 10 MB file' "$(calc 1 "$(median 'block put, twice') / 2000") ms" '50 ms' \
    "$(calc 2 "$(median 'block put, twice') / 100000")" '<=1.0'
  compared 'same' 'block put, twice' 'sed, twice' ''
}

ensuring() {
  echo '-- 10 000 paths that are all there'
  mkdir "$work/paths"
  awk -v dir="$work/paths" 'BEGIN { for (i = 0; i < 10000; ++i) {
    printf "[[path]]\npath = \"%s/d%02d/f%05d\"\ntype = \"file\"\nmode = \"0644\"\nparents = true\n", dir, i % 100, i } }' \
    >"$work/manifest.toml"
  sed -n 's/^path = "\(.*\)"$/\1/p' "$work/manifest.toml" >"$work/list"
  sed 's|/[^/]*$||' "$work/list" | sort -u | xargs mkdir
  xargs touch <"$work/list"
  xargs chmod 0644 <"$work/list"
  cat >"$work/lstat.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
int main(int argc, char** argv) {
  FILE* list = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (list == NULL) return 1;
  char path[4096];
  while (fgets(path, sizeof path, list)) {
    path[strcspn(path, "\n")] = 0;
    struct stat info;
    if (lstat(path, &info) != 0 || (info.st_mode & 07777) != 0644) return 1;
  }
  return 0;
}
END
  cc -O2 -o "$work/lstat" "$work/lstat.c"
  if command -v systemd-tmpfiles >/dev/null; then
    sed 's|^|f |; s|$| 0644 - - -|' "$work/list" >"$work/tmpfiles.conf"
    peer='systemd-tmpfiles'
    measure 10 'ensure' "$holdfast" ensure "$work/manifest.toml" ::: \
      'lstat loop' "$work/lstat" "$work/list" ::: \
      'systemd-tmpfiles' systemd-tmpfiles --create "$work/tmpfiles.conf"
    compared 'ensure 10 000 existing paths' 'ensure' "$peer" '<=1.5'
  else
    measure 10 'ensure' "$holdfast" ensure "$work/manifest.toml" ::: 'lstat loop' "$work/lstat" "$work/list"
  fi
  compared 'ensure 10 000 existing paths' 'ensure' 'lstat loop' '<=1.5'
}

replacing
processes
streaming
blocks
ensuring
echo
awk -F '\t' 'BEGIN { printf "%-34s %14s  %-34s %7s %8s  %s\n", "what", "ours", "beside", "ratio", "target", "" }
  { printf "%-34s %14s  %-34s %7s %8s  %s\n", $1, $2, $3, $4, $5, $6 }' "$table"
