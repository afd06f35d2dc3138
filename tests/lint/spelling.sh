#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# codespell over the tree; .codespellrc says what it leaves alone. It knows British spelling.
. "$(dirname -- "$0")/lib.sh"
need_tool codespell

tree -name '*' | xargs codespell >>"$found" 2>&1
verdict
