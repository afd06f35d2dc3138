#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No call, good or bad, reads or leaves memory that it should not. What waits for a lock or needs a pidfd is left out:
# valgrind cannot.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"
command -v valgrind >/dev/null || skip 'no valgrind'

for name in locks files processes; do
  build_c "$name"
  mkdir "$scratch/$name-in"
  (
    cd "$scratch/$name-in"
    HOLDFAST_HOME=$scratch/$name-home timeout -s KILL 120 valgrind -q --error-exitcode=9 --leak-check=full \
      --errors-for-leak-kinds=definite --child-silent-after-fork=yes "$scratch/$name" for-valgrind
  ) >"$stdout" 2>"$stderr" </dev/null || fail "$name under valgrind"
done
