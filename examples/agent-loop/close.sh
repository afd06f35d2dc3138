#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# close.sh NUMBER: closes an issue.
. "$(dirname -- "$0")/forge.sh"
ask PATCH "/issues/$1" '{"state": "closed"}'
