#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands in for an agent: agent.sh NUMBER makes a commit on the branch issue-NUMBER-fix and a pull request. A
# real one would get the issue, which the loop passes on standard input.
#
# It may be run again after any of its steps: what is there already is not made again.
. "$(dirname -- "$0")/forge.sh"
number=$1
branch=issue-$number-fix
title=$(jq -r .title)

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
git clone -q -- "$FORGE_REPO" "$work/clone"
cd -- "$work/clone"
if git rev-parse -q --verify "origin/$branch" >/dev/null; then
  git checkout -q "$branch"
else
  git checkout -q -b "$branch"
  printf '%s\n' "$title" >"fix-$number.txt"
  git add -- "fix-$number.txt"
  git -c user.name=agent -c user.email=agent@localhost commit -q -m "Fix #$number: $title"
  git push -q origin "$branch"
fi

ask GET "/pulls?head=$branch"
pulls=$(field length)
[ "$pulls" -ge 1 ] ||
  ask POST /pulls "$(jq -n --arg head "$branch" --arg title "Fix #$number" '{head: $head, title: $title}')"
echo "$branch is pushed, and has a pull request"
