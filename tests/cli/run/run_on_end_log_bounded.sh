#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What --on-end prints counts towards --log-max like the rest.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" run --name x --log-max 64K --on-end 'echo begins; head -c 1000000 /dev/zero; touch printed' -- true
log=$HOLDFAST_HOME/sessions/x/out.log
[ -e printed ] || fail 'the command of --on-end did not come to its end'
grep -qa begins "$log" || fail 'what it printed is not in the log'
[ "$(wc -c <"$log")" -le 65536 ] || fail "the log has $(wc -c <"$log") bytes"
