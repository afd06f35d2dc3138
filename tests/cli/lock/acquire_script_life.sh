#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock that a script acquires is held over its next lines, and free when the script has ended. `$(…)` returns at once, in
# every shell, also where the assignment stands in a list.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

for shell in sh dash bash; do
  command -v "$shell" >/dev/null || continue
  expect_code 0 timeout 30 "$shell" -c '
    T=$("$HOLDFAST" acquire x 2>/dev/null || echo none)
    case $T in ????????????????????????????????) ;; *) echo "no token: $T"; exit 10 ;; esac
    "$HOLDFAST" acquire x -n --owner 1 2>/dev/null; [ $? -eq 75 ] || exit 11
    [ "$("$HOLDFAST" locks x --json | jq .holder.pid)" = $$ ] || exit 12
    "$HOLDFAST" check x --token "$T" || exit 13'
  expect_no_stdout
  expect_code 0 "$HOLDFAST" acquire x -w 5s
  read -r token <"$stdout"
  expect_code 0 "$HOLDFAST" release x --token "$token"
done

# Two in one script, and the second does not get the first.
expect_code 0 sh -c '
  A=$("$HOLDFAST" acquire a) && B=$("$HOLDFAST" acquire b) || exit
  "$HOLDFAST" release a --token "$A" && "$HOLDFAST" check b --token "$B"'
