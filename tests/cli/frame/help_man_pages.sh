#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# There is a manual page for every command, subcommands included, and for every topic; mandoc reads them without a
# warning, and they show what `holdfast help` shows.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v mandoc >/dev/null || skip 'mandoc is not installed'
docgen=$(dirname -- "$HOLDFAST")/src/cli/holdfast-docgen
[ -x "$docgen" ] || skip 'holdfast-docgen is not built'

mkdir man
"$docgen" man man || fail 'docgen man failed'
mandoc -T lint -W warning man/* >"$stdout" 2>&1 || fail 'mandoc complains'

# The names as the help lists them: below headings of the overview, and below `Commands` of a command that has some.
"$HOLDFAST" help | sed '/^Common options$/,$d' >overview
sed -n '/^Run a command/,/^Topics$/s/^  \([a-z-]*\)\( \.\.\.\)\{0,1\}  *[a-z].*/\1/p' overview >commands
sed -n '/^Topics$/,$s/^  \([a-z-]*\)  *[a-z].*/\1/p' overview >topics
while read -r command; do
  "$HOLDFAST" help "$command" | sed -n "/^Commands\$/,/^\$/s/^  \($command [a-z-]*\)  *[a-z].*/\1/p"
done <commands >members
[ "$(cat commands members | wc -l)" -ge 75 ] || fail 'too few commands are found'
{ sed 's/$/ 1/' commands; tr ' ' - <members | sed 's/$/ 1/'; sed 's/$/ 7/' topics; } >expected
while read -r name section; do
  page=man/holdfast-$name.$section
  [ -s "$page" ] || fail "there is no page $page"
  head -n 3 "$page" | grep -qiF "holdfast-$name" || fail "$page is of something else"
done <expected
# And none for what the help does not list: the overview is the one page more.
[ "$(find man -type f | wc -l)" -eq "$(($(wc -l <expected) + 1))" ] || fail 'there are pages that the help does not list'

mandoc -T ascii man/holdfast-exit-codes.7 | col -b | tr -s ' \n' ' ' >"$stdout"
"$HOLDFAST" help exit-codes | sed -n 's/^  \(6[0-9]\)  *\([a-z ]*\).*/\1 \2/p' >lines
[ -s lines ] || fail 'no codes in the help'
while read -r line; do expect_stdout_contains "$line"; done <lines
