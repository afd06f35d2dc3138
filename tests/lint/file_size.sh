#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# One file, one concept: source at most 600 lines, header 200, command file 150, test 500. A file that
# must be longer says why in a line `// lint: long-file REASON`.
. "$(dirname -- "$0")/lib.sh"

tree \( -name '*.cc' -o -name '*.h' \) | each wc -l | while read -r lines file; do
  file=${file#./}
  case $file in
    total) continue ;;
    *_test.cc) limit=500 ;;
    src/cli/*/cmd_*.cc) limit=150 ;;
    *.h) limit=200 ;;
    *) limit=600 ;;
  esac
  [ "$lines" -le "$limit" ] || grep -qE '^(//| \*) lint: long-file [^ ]' "$file" ||
    echo "$file:$lines: $lines lines, at most $limit here"
done >>"$found"
verdict
