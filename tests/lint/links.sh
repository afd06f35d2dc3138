#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every relative link of a Markdown document names a file that is there. Code blocks and code spans are
# not links.
. "$(dirname -- "$0")/lib.sh"

tree -name '*.md' | each awk '
    FNR == 1 { fenced = 0; file = FILENAME; sub(/^\.\//, "", file) }
    /^ *(```|~~~)/ { fenced = !fenced; next }
    fenced { next }
    {
      line = $0
      gsub(/`[^`]*`/, "", line)
      while (match(line, /\]\([^)]*\)/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        sub(/[ \t].*/, "", target); sub(/#.*/, "", target); gsub(/^<|>$/, "", target)
        if (target != "" && target !~ /^[a-z][a-z0-9+.-]*:/) print FNR "\t" file "\t" target
      }
    }' | while IFS="$(printf '\t')" read -r line file target; do
  case $target in
    /*) echo "$file:$line: absolute link $target" ;;
    *) [ -e "./${file%"${file##*/}"}$target" ] || echo "$file:$line: dead link $target" ;;
  esac
done >>"$found"
verdict
