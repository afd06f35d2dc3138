#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The sources are as clang-format writes them; `./dev format` mends them. Not part of the test run: only
# one version of the formatter is right, and a newcomer's first `./dev test` should not need it.
. "$(dirname -- "$0")/lib.sh"
need_tool clang-format-19

tree \( -name '*.cc' -o -name '*.h' -o -name '*.c' \) |
  xargs -r clang-format-19 --dry-run -Werror 2>&1 | grep -E '^[^ ].*: error:' >>"$found"
verdict
