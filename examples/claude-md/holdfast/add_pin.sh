#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# add_pin.sh TEXT: one more line in the block of pins of CLAUDE.md.
#
# It reads its own block and writes it back, so without the lock two of them could lose a line to each other. With
# --if-hash the write is made only over the very file that was read; else it is 75, and we read again. The host gets 0
# or 2: any other code would be a broken hook to it, and passed over.
set -eu
: "${HOLDFAST:=holdfast}"
[ "${1-}" = --locked ] || exec "$(dirname -- "$0")/locked.sh" "$0" --locked "$@"
file=${CLAUDE_PROJECT_DIR:-.}/CLAUDE.md

pause() { # for the test: "I have read it", and the word to go on; at the first try only
  [ -n "${HOOK_PAUSE-}" ] || return 0
  : >"$HOOK_PAUSE.there"
  cat "$HOOK_PAUSE.go" >/dev/null
  HOOK_PAUSE=
}

try() {
  seen=absent pins='' got=0
  if [ -e "$file" ]; then
    seen=$(sha256sum <"$file" | cut -c1-64)
    pins=$("$HOLDFAST" block get "$file" --id pins 2>/dev/null) || got=$?
    case $got in
      0 | 66) ;; # 66: there is no such block yet
      *) "$HOLDFAST" block check "$file" >&2 || :; return "$got" ;; # says why, for the host
    esac
  fi
  pause
  { [ -z "$pins" ] || printf '%s\n' "$pins"
    printf -- '- %s\n' "$1"
  } | "$HOLDFAST" block put "$file" --id pins --create --if-hash "$seen" -q
}

for _ in 1 2 3 4 5; do
  code=0
  try "$2" || code=$?
  [ "$code" -eq 75 ] || break
done
[ "$code" -eq 0 ] || exit 2
