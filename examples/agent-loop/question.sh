#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# question.sh NUMBER: gives an issue back to people, who take the label away when it may be tried again.
. "$(dirname -- "$0")/forge.sh"
ask PATCH "/issues/$1" '{"labels": ["State/Question"]}'
