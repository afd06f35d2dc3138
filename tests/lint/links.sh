#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every relative link of a Markdown document names a file that is there. Code blocks and code spans are
# not links.
. "$(dirname -- "$0")/lib.sh"

tree -name '*.md' | while IFS= read -r file; do
  awk '
    /^ *(```|~~~)/ { fenced = !fenced; next }
    fenced { next }
    {
      line = $0
      gsub(/`[^`]*`/, "", line)
      while (match(line, /\]\([^)]*\)/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        sub(/[ \t].*/, "", target); sub(/#.*/, "", target); gsub(/^<|>$/, "", target)
        if (target != "" && target !~ /^[a-z][a-z0-9+.-]*:/) print FNR " " target
      }
    }' "$file" |
    while read -r line target; do
      case $target in
        /*) echo "$file:$line: absolute link $target" ;;
        *) [ -e "$(dirname -- "$file")/$target" ] || echo "$file:$line: dead link $target" ;;
      esac
    done
done >>"$found"
verdict
