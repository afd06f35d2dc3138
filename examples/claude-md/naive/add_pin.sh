#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# add_pin.sh TEXT, by hand: one more line in the block of pins. It shows how that goes wrong; do not use it.
set -eu
file=${CLAUDE_PROJECT_DIR:-.}/CLAUDE.md
begin='<!-- pins:start -->' end='<!-- pins:end -->'

exec 9>>"${CLAUDE_PROJECT_DIR:-.}/.CLAUDE.md.lock"
flock -w "${CLAUDE_MD_WAIT:-5}" 9 || : # fail open, and nobody is told
rest=$(sed "/^$begin\$/,/^$end\$/d" "$file")
pins=$(sed -n "/^$begin\$/,/^$end\$/p" "$file" | sed "/^$begin\$/d; /^$end\$/d")
if [ -n "${HOOK_PAUSE-}" ]; then # for the test: "I have read it", and the word to go on
  : >"$HOOK_PAUSE.there"
  cat "$HOOK_PAUSE.go" >/dev/null
fi
{
  printf '%s\n%s\n' "$rest" "$begin"
  [ -z "$pins" ] || printf '%s\n' "$pins"
  printf -- '- %s\n%s\n' "$1" "$end"
} >"$file"
