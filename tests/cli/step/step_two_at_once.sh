#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Twenty at once: one runs, the others find it claimed or done, and the count is right.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  (
    code=0
    "$HOLDFAST" once k -- sh -c 'echo ran >>ran' 2>/dev/null || code=$?
    echo "$code" >"code-$i"
    code=0
    "$HOLDFAST" attempt a --max 3 -- sh -c 'echo tried >>tried; exit 9' 2>/dev/null || code=$?
    echo "$code" >"tried-$i"
  ) &
done
wait
expect_runs 1
for file in code-*; do
  case $(cat "$file") in 0 | 75) ;; *) fail "$file: $(cat "$file")" ;; esac
done
[ "$(wc -l <tried)" -le 3 ] || fail "tried $(wc -l <tried) times of 3"
for file in tried-*; do
  case $(cat "$file") in 9 | 75 | 77) ;; *) fail "$file: $(cat "$file")" ;; esac
done
expect_code 0 "$HOLDFAST" step show --kind attempt a --json
expect_json .attempts "$(wc -l <tried)"
expect_json .claimed null
