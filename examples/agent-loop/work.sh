#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the loop runs for one issue: the agent, then CI, then the merge. Its exit code is a claim; whether the issue
# is done is for merged.sh to tell.
set -eu
cd -- "$(dirname -- "$0")"
: "${HOLDFAST:=holdfast}"
"${AGENT:-./agent.sh}" "$1"
"$HOLDFAST" until --timeout "${CI_PATIENCE:-15m}" --every "${CI_EVERY:-30s}" --fail 2 -- ./ci.sh "$1" </dev/null
./merge.sh "$1"
