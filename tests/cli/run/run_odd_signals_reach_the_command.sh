#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A signal that means a fault when the kernel makes it is passed on when somebody sends it; an alarm that
# holdfast inherited strikes the command, as it would without holdfast.
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for signal in 6 7 11 31; do  # ABRT, BUS, SEGV, SYS
  : >"$stdout" # the line of the round before is not this one's
  "$HOLDFAST" run -- sh -c 'echo ready; exec sleep 60' >"$stdout" 2>"$stderr" &
  front=$!
  wait_for_line "$stdout" ready
  kill "-$signal" "$front"
  code=0
  wait "$front" || code=$?
  [ "$code" -eq $((128 + signal)) ] || fail "signal $signal: exit code $code"
done

command -v perl >/dev/null || skip 'no perl to inherit an alarm from'
# shellcheck disable=SC2016  # perl's own variable
expect_code 142 perl -e 'alarm 1; exec @ARGV' "$HOLDFAST" run -- sleep 60
