#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# merge.sh NUMBER: asks the forge to merge the pull request of an issue.
#
# 1 is only for "it will not"; where nobody can tell which pull request that is, it is 69. Where the answer to the merge is
# lost it may have merged all the same, so this says 0. The loop takes each for a claim: merged.sh will look.
. "$(dirname -- "$0")/forge.sh"
ask GET "/pulls?head=issue-$1-fix" || exit 69
pull=$(field 'map(select(.state == "open")) | .[0].number // empty')
[ -n "$pull" ] || { echo 'there is no open pull request' >&2; exit 0; }
code=0
ask POST "/pulls/$pull/merge" '{}' || code=$?
[ "$code" -ne 1 ] || exit 1
echo "the merge of pull request $pull was asked for (answer: $code)"
