#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The worst turns of translated English stay out of help texts, messages, README and docs, and subjects of commits stay
# within 72 characters. Comments of the sources are not looked at, and docs/cli/ is made from the sources. A line that must say one of them is excused by
# `lint: words REASON` on it.
. "$(dirname -- "$0")/lib.sh"

# One turn per line: a regular expression, a tab, and what to say instead.
turns=$(printf '%s\t%s\n' \
  'cannot be got[^a-z]|(is|was|were|are) not got[^a-z]' 'say "acquired"' \
  'is one too many' 'say "unexpected argument"' \
  'world is asked' 'say "verify decides"' \
  'whose (exit )?code it is' "say \"whether the exit code is holdfast's or the command's\"" \
  'gone on with' 'say "resumed"' \
  'not shown; --' 'say "hidden (use --all)"' \
  '[^a-z]for (those )?who (only |does |has |reads |wants )' 'say "for callers that …"' \
  'belong into' 'say "belong in"' \
  '(is|are|was|too) dear[^a-z]' 'say "expensive"' \
  'nobody can tell any more' 'say "is unknown"' \
  '(is|are) of one machine' 'say "work on one machine"' \
  'what of it holds' 'say "what works"' \
  'it is of a series of them' 'say "requires --iterations"' \
  'owns? the dangerous parts' 'say what it does')

tree \( -name '*.md' -o -name '*.cc' -o -name '*.h' \) -not -path './docs/cli/*' |
  each awk -v turns="$turns" '
    BEGIN { n = split(turns, line, "\n"); for (i = 1; i <= n; i++) { split(line[i], half, "\t"); turn[i] = half[1]; say[i] = half[2] } }
    /lint: words / { next }
    { text = $0; if (FILENAME ~ /\.(cc|h)$/) sub(/(^|[^:])\/\/.*/, "", text)
      text = " " tolower(text) " "; for (i = 1; i <= n; i++) { if (match(text, turn[i])) print FILENAME ":" FNR ": \"" substr(text, RSTART, RLENGTH) "\": " say[i] } }' |
  sed 's|^\./||' >>"$found"

# Commits since the rule; a copy without its history has no subjects to look at.
base=8dd761cd
if git cat-file -e "$base^{commit}" 2>/dev/null; then
  git log --no-merges --format='%h %s' "$base..HEAD" |
    awk 'length($0) - index($0, " ") > 72 { print "commit " $1 ":1: its subject has " length($0) - index($0, " ") " characters, 72 are the limit" }' >>"$found"
fi
verdict
