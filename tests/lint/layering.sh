#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Each source is in a folder of src/levels.txt, and in one of its sub-folders if it has any. A folder of src/ includes only itself and folders of a strictly lower level of src/levels.txt, so that
# each can be read, tested and linked without what stands above it. Tests may include anything; nothing
# that ships may include testing/.
. "$(dirname -- "$0")/lib.sh"

tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) ! -name '*_test.cc' ! -name '*_fixture.h' | code layering |
  grep -E '^[^:]*:[0-9]*:[ \t]*#[ \t]*include[ \t]*"' |
  awk -F: '
    FNR == NR { if ($0 ~ /^[a-z]/) { split($0, pair, /[ \t]+/); level[pair[1]] = pair[2] } next }
    {
      split($1, path, "/"); from = path[2]
      target = $3; sub(/^[^"]*"/, "", target); sub(/".*/, "", target)
      to = target; if (!sub(/\/.*/, "", to)) to = ""
      if (!(from in level))
        print $1 ":" $2 ": src/" from " has no level in src/levels.txt"
      else if (to == "")
        print $1 ":" $2 ": include \"" target "\" by its folder: \"" from "/" target "\""
      else if (from == "capi" && target == "holdfast/holdfast.h")
        next  # what it implements
      else if (!(to in level))
        print $1 ":" $2 ": \"" target "\" is in no folder of src/levels.txt"
      else if (to == "testing" && from != "testing")
        print $1 ":" $2 ": product code includes \"" target "\""
      else if (to != from && level[to] + 0 >= level[from] + 0)
        print $1 ":" $2 ": " from " (level " level[from] ") includes " to " (level " level[to] ")"
    }' src/levels.txt - >>"$found"

tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) ! -path './src/testing/*' |
  awk '
    FNR == NR {
      if ($0 ~ /^[a-z]/) { level[$1]; for (i = 3; i <= NF; i++) { divided[$1]; part[$1, $i] } }
      next
    }
    {
      n = split($0, path, "/")
      if (!(path[2] in level)) next  # said above
      if (n == 3 ? path[2] in divided : !((path[2], path[3]) in part) || n > 4)
        print $0 ":1: is in no sub-folder that src/levels.txt names for src/" path[2]
    }' src/levels.txt - >>"$found"
verdict
