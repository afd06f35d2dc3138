#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# <iostream> costs every start of the program the construction of its streams and locale, so product code
# does without. CLI11 drags it in, and takes seconds to compile: one file may include CLI11, the others
# use that file's own header.
. "$(dirname -- "$0")/lib.sh"

product() {
  tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) ! -name '*_test.cc' ! -path './src/testing/*' |
    code no_iostream
}

product | grep -E '#[ \t]*include[ \t]*<iostream>' | report 'includes <iostream>'
product | grep -E '#[ \t]*include[ \t]*<CLI/' | awk -F: '{ if (!first) first = $1; if ($1 != first) print }' |
  report 'a second file that includes CLI11'
verdict
