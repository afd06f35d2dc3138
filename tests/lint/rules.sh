#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every rule that a comment or a document cites ("rule L3", "rules P3 and P4") is stated in docs/design/rules.md, and
# every source file that they name is there, whatever its folder. Not meant are patterns (`x_test.cc`, `_linux.cc`,
# `cmd_NAME.cc`), files of a port that does not exist (`dir_macos.cc`) and headers of the system.
. "$(dirname -- "$0")/lib.sh"

rules=docs/design/rules.md
[ -f "$rules" ] || { echo "$rules:1: is missing" >>"$found"; verdict; }
sed -n 's/^\*\*\([A-Z][0-9]*[a-z]\{0,1\}\) .*/\1/p' "$rules" | sort -u >"$found.rules"
tree \( -path './src/*' -o -path './include/*' -o -path './tests/*' -o -path './fuzz/*' \) | sed 's|.*/||' | sort -u >"$found.names"
trap 'rm -f "$found" "$found.rules" "$found.names"' EXIT

{ tree \( -path './src/*' -o -path './fuzz/*' \) \( -name '*.h' -o -name '*.cc' \)
  tree \( -path './tests/*' \) \( -name '*.sh' -o -name '*.inc' -o -name '*.txt' \)
  tree -name '*.md' -not -path './docs/cli/*' -not -name CHANGELOG.md; } |
  grep -v '^tests/lint/' |
  each awk -v rules="$found.rules" -v names="$found.names" '
    BEGIN {
      outside = "^(windows|winternl|sysexits|linux/[a-z]*)[.]h$"
      while ((getline line <rules) > 0) known[line] = 1
      while ((getline line <names) > 0) there[line] = 1
    }
    FNR == 1 {
      file = FILENAME
      sub(/^\.\//, "", file)
      code = file ~ /\.(h|cc)$/
    }
    # "rule L3", "rules P3, P4 and P5a"; the number may stand on the next line.
    { text = $0; if (code || file ~ /\.(sh|inc)$/) { if (!sub(/^.*(\/\/|#) /, "", text)) text = "" } }
    text ~ /(^|[^a-z])rules? *$/ { cited = 1; next }
    cited || match(text, /(^|[^a-z])rules? [LPGFJSW][0-9]/) {
      rest = cited ? text : substr(text, RSTART)
      cited = 0
      sub(/^[^a-zA-Z]*rules? /, "", rest)
      while (match(rest, /^(, | and | to |–)?[LPGFJSW][0-9]+[a-z]?/)) {
        id = substr(rest, RSTART, RLENGTH)
        sub(/^[^LPGFJSW]*/, "", id)
        if (!(id in known)) print file ":" FNR ": there is no rule " id " in docs/design/rules.md"
        rest = substr(rest, RSTART + RLENGTH)
      }
    }
    {
      rest = text
      while (match(rest, /[A-Za-z0-9_][A-Za-z0-9_.\/-]*\.(h|cc|inc)([^A-Za-z0-9_]|$)/)) {
        before = substr(rest, RSTART - 1, 1)
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH - 1)
        sub(/[^A-Za-z0-9_]$/, "", name)
        base = name
        sub(/.*\//, "", base)
        if (before == "<" || base in there || base ~ /^(_|x[_.])|NAME|_macos/ || name ~ outside) continue
        print file ":" FNR ": there is no file " name
      }
    }' >>"$found"
verdict
