# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Session locks of a pipeline engine, by hand. It shows how that goes wrong; do not use it.
LOCKS=${LOCKS:-locks}

# For the test: at the point that PAUSE_POINT names, "I am here" and the word to go on, over two FIFOs.
pause() {
  [ "${PAUSE_POINT-}" = "$1" ] || return 0
  PAUSE_POINT=
  : >"$PAUSE.there"
  cat "$PAUSE.go" >/dev/null
}

# is_stale FILE: nobody with that pid is there.
is_stale() {
  local pid
  pid=$(jq -r '.pid // empty' "$1" 2>/dev/null)
  [ -z "$pid" ] || ! kill -0 "$pid" 2>/dev/null
}

# acquire_lock SESSION [--force]
acquire_lock() {
  local file=$LOCKS/$1.lock
  mkdir -p "$LOCKS"
  [ "${2-}" != --force ] || rm -f "$file"
  for _ in 1 2 3; do
    if (set -o noclobber && echo "$$" >"$file") 2>/dev/null; then
      pause raw-pid
      jq -n --arg session "$1" --argjson pid "$$" '{$session, $pid}' >"$file"
      return 0
    fi
    is_stale "$file" || break
    rm -f "$file"
  done
  echo "session $1 is locked" >&2
  return 1
}

# release_lock SESSION. With CHECK_OWNER=1 it is what the report proposed, and what was done.
release_lock() {
  local file=$LOCKS/$1.lock
  if [ -n "${CHECK_OWNER-}" ]; then
    [ "$(jq -r '.pid // empty' "$file" 2>/dev/null)" = "$$" ] || return 0
  fi
  rm -f "$file"
}

# cleanup_stale_locks: at every start of an engine, over all sessions.
cleanup_stale_locks() {
  local file
  for file in "$LOCKS"/*.lock; do
    if [ -e "$file" ] && is_stale "$file"; then
      pause judged-stale
      rm -f "$file"
    fi
  done
}
