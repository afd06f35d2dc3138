#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A cause that decides something is a constant of src/base/cause.h: with a literal, who says the word and who asks for
# it part at the first typing error.
. "$(dirname -- "$0")/lib.sh"

tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) ! -name '*_test.cc' ! -path './src/testing/*' |
  code causes | grep -E 'cause *[!=]= *"' | report 'compares a cause with a literal; name it in src/base/cause.h'
verdict
