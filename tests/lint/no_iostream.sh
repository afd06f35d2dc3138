#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# <iostream> costs every start of the program the construction of its streams and locale, so product code
# does without. CLI11 drags it in: heavy_headers.sh keeps that to one file.
. "$(dirname -- "$0")/lib.sh"

tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) ! -name '*_test.cc' ! -path './src/testing/*' |
  code no_iostream | grep -E '#[ \t]*include[ \t]*<iostream>' | report 'includes <iostream>'
verdict
