#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The source for the time after a move from the naive loop, in the place of ready.sh: the issue that the old loop had in hand
# when it was stopped is ready, too, once nobody has the number of the old agent any more. It is still marked as the old loop
# marked it, until it is done or given up.
. "$(dirname -- "$0")/forge.sh"
: "${HOLDFAST:=holdfast}" "${LOOP_STATE:=$HOME/.agent-loop-state.json}"
left=null
if [ -e "$LOOP_STATE" ]; then
  state=$(jq -ce 'select((.pid | type == "number") and (.issue | type == "number")) | [.pid, .issue]' <"$LOOP_STATE") || exit 69
  # A number says who had it then, not who has it now: somebody with this number may be the agent.
  gone=0
  "$HOLDFAST" identify "$(printf '%s' "$state" | jq '.[0]')" >/dev/null 2>&1 || gone=$?
  [ "$gone" -eq 66 ] || exit 69
  left=$(printf '%s' "$state" | jq '.[1]')
fi
ask GET /issues || exit 69
# shellcheck disable=SC2016  # of jq
field '.[] | select(.state == "open")
  | if (.labels | index("State/InProgress")) and .number == $left then .labels += ["State/Ready"] else . end
  | del(.comments) | tojson' --argjson left "$left"
