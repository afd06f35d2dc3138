#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The generated manual is read by mandoc without a warning and shows what `holdfast help` shows.
. "$(dirname -- "$0")/lib.sh"
command -v mandoc >/dev/null || skip 'mandoc is not installed'
docgen=$(dirname -- "$HOLDFAST")/src/cli/holdfast-docgen
[ -x "$docgen" ] || skip 'holdfast-docgen is not built'

mkdir man
"$docgen" man man || fail 'docgen man failed'
mandoc -T lint -W warning man/* >"$stdout" 2>&1 || fail 'mandoc complains'

mandoc -T ascii man/holdfast-exit-codes.7 | col -b | tr -s ' \n' ' ' >"$stdout"
"$HOLDFAST" help exit-codes | sed -n 's/^  \(6[0-9]\)  *\([a-z ]*\).*/\1 \2/p' >lines
[ -s lines ] || fail 'no codes in the help'
while read -r line; do expect_stdout_contains "$line"; done <lines
