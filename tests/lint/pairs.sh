#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/pairs/table.txt has one line for each pair of features, with an invariant and the tests that show it, or why none
# is needed. Whoever adds a feature finds out here which pairs to think about. A cell that says `open:` is a violation, and
# so is a test of tests/pairs that no cell names.
. "$(dirname -- "$0")/lib.sh"
table=tests/pairs/table.txt
[ -f "$table" ] || { echo "$table:1: missing"; exit 1; }

# One awk for all, as in guarantees.sh. The tests come first, a line each; the violations go to $found.
{
  tree -name '*_test.cc' | test_names
  tree -name '*.sh' \( -path './tests/pairs/*' -o -path './tests/cli/*' -o -path './tests/examples/*' \
    -o -path './tests/bench/*' -o -path './tests/capi/*' \) | sed 's|.*/||; s|\.sh$||'
  tree -name '*.sh' -path './tests/pairs/*' | sed 's|.*/|pair |; s|\.sh$||'
  echo '|'
  cat "$table"
} | awk -v table="$table" -v found="$found" '
  function fault(at, text) { print table ":" at ": " text >>found }
  function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
  # What a line `WORD NAME: MEANING` declares.
  function declared(word, text, colon) {
    text = substr($0, length(word) + 2)
    colon = index(text, ":")
    if (colon < 2 || trim(substr(text, colon + 1)) == "") { fault(line, "no meaning: " $0); return "" }
    return substr(text, 1, colon - 1)
  }
  # The key of the pair `A x B`, the same for `B x A`; "" where that is no pair of features.
  function key(pair, names) {
    if (split(pair, names, / x /) != 2 || !(names[1] in number) || !(names[2] in number)) return ""
    return number[names[1]] < number[names[2]] ? names[1] " x " names[2] : names[2] " x " names[1]
  }
  function check_invariants(text, list, n, i) {
    n = split(text, list, /, */)
    if (n == 0) fault(line, "no invariant")
    for (i = 1; i <= n; i++) if (!(list[i] in invariant)) fault(line, "unknown invariant: " list[i])
  }
  function check_tests(text, list, n, i) {
    n = split(text, list, /, */)
    for (i = 1; i <= n; i++) {
      if (!(list[i] in there)) fault(line, "no such test: " list[i])
      named[list[i]]
    }
  }
  function check_cell(pair, text, at) {
    if (text == "") { fault(line, "empty cell"); return }
    if (text ~ /^none:/) {
      kind[pair] = "none"
      if (text !~ /^none: *[^ ]/) fault(line, "none, and no reason")
      if (match(text, /(: |; )as [^;]* x [^;]*/)) {
        as[pair] = trim(substr(text, RSTART + 5, RLENGTH - 5))
        if (key(as[pair]) == "") { fault(line, "no such pair: " as[pair]); delete as[pair] }
      }
      return
    }
    kind[pair] = "open"
    at = text ~ /^open:/ ? 1 : index(text, "; open:")
    if (at == 0 || at > 1) {
      kind[pair] = "tests"
      check_tests(at ? substr(text, 1, at - 1) : text)
    }
    if (at != 0) fault(line, "open: " trim(substr(text, index(text, "open:") + 5)))
  }
  !begun && /^pair / { of_pairs[substr($0, 6)]; next }
  !begun && $0 != "|" { there[$0]; next }
  !begun { begun = NR; next }
  { line = NR - begun }
  /^#/ || /^ *$/ { next }
  /^feature / {
    name = declared("feature")
    if (name in number) fault(line, "a second time: " name)
    else if (name != "") { number[name] = ++features; feature[features] = name; at_line[features] = line }
    next
  }
  /^invariant / { name = declared("invariant"); if (name != "") invariant[name]; next }
  {
    if (split($0, cell, "|") != 3) { fault(line, "not three cells: " $0); next }
    pair = key(trim(cell[1]))
    if (pair == "") { fault(line, "no pair of features: " trim(cell[1])); next }
    if (pair in first) { fault(line, "there already, in line " first[pair] ": " pair); next }
    first[pair] = line
    if (trim(cell[2]) == "-" || trim(cell[3]) == "shares nothing") {
      kind[pair] = "nothing"
      if (trim(cell[2]) != "-" || trim(cell[3]) != "shares nothing") fault(line, "`-` goes with `shares nothing`")
      next
    }
    check_invariants(trim(cell[2]))
    check_cell(pair, trim(cell[3]))
  }
  END {
    for (i = 1; i <= features; i++)
      for (j = i; j <= features; j++) {
        pair = feature[i] " x " feature[j]
        if (!(pair in first)) fault(at_line[i], "missing: " pair)
      }
    for (pair in first) {
      ++pairs
      ++count[kind[pair]]
      to = pair
      for (steps = 0; to in as && steps < 9; steps++) to = key(as[to])
      if (steps == 9) fault(first[pair], "goes round in a circle: " pair)
    }
    for (test in of_pairs) if (!(test in named)) fault(1, "no cell names this test: " test)
    printf "%d pairs of %d features: %d with tests, %d without need, %d sharing nothing\n", pairs, features,
      count["tests"], count["none"], count["nothing"]
  }'
verdict
