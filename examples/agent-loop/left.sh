#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The source for the time after a move from the naive loop, in the place of ready.sh: an issue that the old loop had in hand
# when it was stopped is ready, too. `holdfast import agent-state FILE --apply` has put it on record; it is still marked as
# the old loop marked it, until it is done or given up.
. "$(dirname -- "$0")/forge.sh"
: "${HOLDFAST:=holdfast}"
imported=$("$HOLDFAST" journal query --type import.done --json) || exit 69
left=$(printf '%s\n' "$imported" | jq -sc '[.[].data | select(.kind == "agent-state") | .detail.issue]') || exit 69
ask GET /issues || exit 69
# shellcheck disable=SC2016  # of jq
field '.[] | select(.state == "open")
  | if (.labels | index("State/InProgress")) and (.number | tostring | IN($left[])) then .labels += ["State/Ready"] else . end
  | del(.comments) | tojson' --argjson left "$left"
