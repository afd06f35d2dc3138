#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# engine.sh SESSION COUNT [--force] -- AGENT…: runs AGENT… NUMBER for 1 to COUNT, and goes on where it was.
# By hand: it shows how that goes wrong; do not use it.
. "$(dirname "$0")/lock.sh"

session=$1 count=$2 force=
shift 2
while [ "$1" != -- ]; do force=$1; shift; done
shift
state=runs/$session/state.json

cleanup_stale_locks
acquire_lock "$session" "$force" || exit 1
trap 'release_lock "$session"' EXIT
mkdir -p "runs/$session"
[ -e "$state" ] || echo '{"completed":0,"status":"running"}' >"$state"

iterate() { # NUMBER AGENT…
  local number=$1
  shift
  # shellcheck disable=SC2034,SC2155 # this is one of the faults
  local output=$("$@" "$number")
  jq --argjson n "$number" '.completed = $n' "$state" >"$state.tmp" && mv "$state.tmp" "$state"
}

number=$(($(jq .completed "$state") + 1))
while [ "$number" -le "$count" ]; do
  iterate "$number" "$@"
  number=$((number + 1))
done
jq '.status = "complete"' "$state" >"$state.tmp" && mv "$state.tmp" "$state"
