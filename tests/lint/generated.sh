#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# generated.sh ROOT DOCGEN: what is generated from the command table is well formed (each shell parses its
# completions, mandoc reads the manual pages without complaint), and docs/cli and docs/levels.svg are what
# `./dev docs` writes.
. "$(dirname -- "$0")/lib.sh"
docgen=${2:?usage: generated.sh ROOT DOCGEN}
out=$(mktemp -d) || exit 70
trap 'rm -rf "$out" "$found"' EXIT

mkdir "$out/markdown" "$out/man" "$out/completions"
for kind in markdown man completions; do
  "$docgen" "$kind" "$out/$kind" || echo "docgen:1: '$kind' failed" >>"$found"
done

diff -r "$out/markdown" docs/cli >"$out/diff" 2>&1 || {
  cat "$out/diff"
  echo "docs/cli:1: out of date: run ./dev docs" >>"$found"
}
awk -f cmake/levels_svg.awk src/levels.txt | cmp -s - docs/levels.svg ||
  echo "docs/levels.svg:1: out of date: run ./dev docs" >>"$found"
need_tool mandoc
mandoc -T lint -W warning "$out"/man/* >>"$found" 2>&1
for shell in bash zsh fish; do need_tool "$shell"; done
for file in "$out"/completions/*; do
  case $file in
    *.fish) fish --no-config -n "$file" ;;
    */_*) zsh -f -n "$file" ;;
    *) bash -n "$file" ;;
  esac >>"$found" 2>&1 || echo "$file:1: does not parse" >>"$found"
done
verdict
