#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every test that docs/guarantees.md names is there: `Suite.Name` as a TEST in a source, `x.sh` as a script
# under tests/ or models/. A guarantee whose test was renamed or removed is no guarantee.
. "$(dirname -- "$0")/lib.sh"
page=docs/guarantees.md
[ -f "$page" ] || { echo "$page:1: missing"; exit 1; }

tests=$(tree \( -name '*_test.cc' -o -name '*_fuzz.cc' \) | while IFS= read -r file; do
  sed -n -e "s/^TEST\(_F\|_P\)\{0,1\}(\([A-Za-z0-9]*\), *\([A-Za-z0-9]*\)).*/\2.\3/p" \
    -e "s/^RC_GTEST_PROP(\([A-Za-z0-9]*\), *\([A-Za-z0-9]*\),.*/\1.\2/p" "$file"
done)
scripts=$(tree -name '*.sh' \( -path './tests/*' -o -path './models/*' \) | sed 's|.*/||')

# The names stand in the last column of the tables.
awk -F'|' '/^\|/ && NF > 3 { print NR "|" $(NF - 1) }' "$page" |
  while IFS='|' read -r line cell; do
    printf '%s\n' "$cell" | grep -o '`[^`]*`' | tr -d '`' | while IFS= read -r name; do
      case $name in
        *.sh) printf '%s\n' "$scripts" | grep -qxF -e "$name" ;;
        *.*) printf '%s\n' "$tests" | grep -qxF -e "$name" ;;
        *) false ;;
      esac || echo "$page:$line: no such test: $name"
    done
  done >>"$found"
verdict
