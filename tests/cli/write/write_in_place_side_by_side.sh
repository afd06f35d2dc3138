#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Many writers in place at once wait for each other: the file is always one of the versions in the end, nobody
# takes the undo copy of a living one for the trace of a crash, and none is left.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf start >f
for version in aaaa bbbbbbbb cc dddddddddddd e ffffff; do
  (
    for _ in 1 2 3 4 5 6; do
      write f --in-place --wait 60s -- printf "$version" 2>>../errors || echo "$version: $?" >>../errors
    done
  ) &
done
wait
[ ! -s ../errors ] || fail "$(sort ../errors | uniq -c | head -n 5)"
case $(cat f) in
  aaaa | bbbbbbbb | cc | dddddddddddd | e | ffffff) ;;
  *) fail "a mixture: $(cat f)" ;;
esac
expect_only f
