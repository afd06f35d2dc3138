#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# comment.sh NUMBER: the text on standard input as a comment of an issue.
#
# A comment whose answer was lost may be there. Each ends with a mark made of its text, so that trying again finds
# it instead of posting it twice.
. "$(dirname -- "$0")/forge.sh"
text=$(cat)
mark="<!-- notice $(printf '%s' "$text" | sha256sum | cut -c 1-16) -->"
ask GET "/issues/$1/comments"
there=$(field 'any(.[]; .body | contains($mark))' --arg mark "$mark")
[ "$there" = false ] || exit 0
ask POST "/issues/$1/comments" "$(jq -n --arg body "$text

$mark" '{body: $body}')"
