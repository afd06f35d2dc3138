#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every test that docs/guarantees.md names is there: `Suite.Name` as a TEST in a source, `x.sh` as a script
# under tests/ or models/. A guarantee whose test was renamed or removed is no guarantee.
#
# Every table has a column `Windows` behind the tests, and each of its cells begins with `Wine`, `by reading` or
# `not offered`. Behind each `by reading` stands in parentheses why Wine does not show it: one of the words that the page
# lists as `  - *word*: …`. Of a cell that begins with `Wine`, all tests named in it, or if none are one of the row's own, run
# under Wine: they stand in TESTS or WINDOWS_TESTS of their folder, in tests/windows or in its same_as_linux.txt, or are
# examples for Windows, tests/examples/*_windows.sh; and they are not in may_skip.txt. `Wine` alone, or with a comma or a
# semicolon behind it, speaks for all tests of the row.
. "$(dirname -- "$0")/lib.sh"
page=docs/guarantees.md
[ -f "$page" ] || { echo "$page:1: missing"; exit 1; }

tests=$(tree \( -name '*_test.cc' -o -name '*_fuzz.cc' \) | test_names)
scripts=$(tree -name '*.sh' \( -path './tests/*' -o -path './models/*' \) | sed 's|.*/||')

# windows_sources: the test sources that are built for Windows. Folders between `if(NOT WIN32)` and `endif()` are not.
windows_sources() {
  [ -f src/CMakeLists.txt ] || return 0
  awk '/^if\(NOT WIN32\)/ { skip = 1 } /^endif\(/ { skip = 0 }
       !skip && match($0, /add_subdirectory\([a-z]+\)/) { print substr($0, RSTART + 17, RLENGTH - 18) }' \
    src/CMakeLists.txt | while IFS= read -r folder; do
    sed 's/#.*//' "src/$folder/CMakeLists.txt" | tr -s '() \t' '\n' | awk -v folder="$folder" '
      /^hf_test_program$/ { list = "" }
      /^[A-Z_]+$/ { list = $0 }
      /_test\.cc$/ && (list == "TESTS" || list == "WINDOWS_TESTS") { print "src/" folder "/" $0 }'
  done
}
under_wine=$(
  windows_sources | while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done | test_names
  tree \( -name '*.sh' -path './tests/windows/*' -o -name '*_windows.sh' -path './tests/examples/*' \) | sed 's|.*/||'
  [ ! -f tests/windows/same_as_linux.txt ] || sed -n 's/^\([a-z].*\)/\1.sh/p' tests/windows/same_as_linux.txt
)
skipped=$([ ! -f tests/windows/may_skip.txt ] || sed -n 's/^\([A-Z][^ ]*\).*/\1/p' tests/windows/may_skip.txt)

# One awk for all: a grep for each name takes a minute on a busy machine. The lists come first, a line each.
{
  printf '%s\n' "$tests" "$scripts" | sed 's/^/there /'
  printf '%s\n' "$under_wine" | sed 's/^/wine /'
  printf '%s\n' "$skipped" | sed 's/^/skip /'
  echo page
  cat "$page"
} | awk -F'|' -v page="$page" '
  function fault(text) { print page ":" line ": " text }
  # Splits what stands as code in the cell into quoted[], and says how many.
  function quote(cell, parts, n, i) {
    n = split(cell, parts, "`")
    for (i = 2; i < n; i += 2) quoted[i / 2] = parts[i]
    return int((n - 1) / 2)
  }
  function is_test(name) {
    return name ~ /^[a-z0-9_]+\.sh$/ || name ~ /^[A-Z][A-Za-z0-9]*\.[A-Z][A-Za-z0-9]*$/
  }
  function check_tests(cell, n, i) {
    n = quote(cell)
    for (i = 1; i <= n; i++) if (!(quoted[i] in there)) fault("no such test: " quoted[i])
  }
  function check_reasons(windows, n, i, parts, word) {
    n = split(windows, parts, "by reading")
    for (i = 2; i <= n; i++) {
      word = parts[i]
      if (!sub(/^ \(/, "", word)) { fault("by reading, and not why"); continue }
      sub(/\).*/, "", word)
      if (!(word in reasons)) fault("by reading for a reason that the page does not list: " word)
    }
  }
  function check_windows(cell, windows, n, i, named, says_wine) {
    says_wine = windows ~ /^ Wine[ :,;]/
    if (!says_wine && windows !~ /^ (by reading \([a-z]*\)|not offered): ./) {
      fault("the cell of Windows begins with neither Wine, by reading (why): nor not offered:")
    }
    check_reasons(windows)
    n = quote(windows)
    for (i = 1; i <= n; i++) {
      if (!is_test(quoted[i])) continue
      named = 1
      if (!(quoted[i] in there)) fault("no such test: " quoted[i])
      else if (says_wine && !(quoted[i] in wine)) fault("does not run under Wine: " quoted[i])
    }
    if (!says_wine) return
    n = quote(cell)
    # Without "for this or that", and without tests of its own behind a colon, it speaks for the whole row.
    if (windows ~ /^ Wine *([,;]|$)/) {
      for (i = 1; i <= n; i++) if (!(quoted[i] in wine)) fault("says Wine for all, but does not run there: " quoted[i])
      return
    }
    if (named) return
    for (i = 1; i <= n; i++) if (quoted[i] in wine) return
    fault("says Wine, but no test of the row runs under Wine")
  }
  !begun && /^there / { there[substr($0, 7)]; next }
  !begun && /^wine / { wine[substr($0, 6)]; next }
  !begun && /^skip / { delete wine[substr($0, 6)]; next }
  !begun { begun = NR; next }
  { line = NR - begun }
  /^  - \*[a-z]+\*: / { split($0, listed, "*"); reasons[listed[2]] }
  !/^\|/ { table = header = 0; next }
  /^\|[-:| ]+$/ && header {
    table = 1
    if (last !~ /^ *Windows *$/) { line = header; fault("the table has no column Windows") }
    next
  }
  # The tests stand before the column Windows; outside of any table, in the last one.
  table { check_tests($(NF - 2)); check_windows($(NF - 2), $(NF - 1)); next }
  { header = line; last = $(NF - 1); if (NF > 3) check_tests(last) }' >>"$found"
verdict
