#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A notice that could not be sent is kept, waits, and goes with the next one; one that may have been sent is not sent
# again by itself.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

notify() { "$HOLDFAST" notify "$@"; }
file=$(step_file notify k)
say() { printf '%s\n' "$1" | notify k --json -- sh -c "$2"; }
expect_code 5 say first 'exit 5'
expect_json .exit_code 5
[ "$(json_field .next)" != null ] || fail 'nobody is told when to come again'
expect_code 0 "$HOLDFAST" step show --kind notify k --json
expect_json .state waiting
expect_json '.kept | rtrimstr("\n")' first
expect_code 75 say first 'cat >>sent'
expect_json .decision wait
expect_code 75 say second 'cat >>sent'
expect_json '.error.detail | contains("the text is kept")' true
[ "$(jq .next.wait_ms "$file")" -eq 60000 ] || fail 'the first pause'
end_pause "$file"
expect_code 5 say second 'exit 5'
[ "$(jq .next.wait_ms "$file")" -eq 300000 ] || fail 'the second pause'
end_pause "$file"
expect_code 0 say second 'cat >>sent'
printf 'first\nsecond\n(1 repeat was held back before this was sent)\n' >expected
cmp -s sent expected || fail "sent: $(cat sent)"
expect_code 0 say second 'cat >>sent'
expect_json .decision suppressed
expect_code 0 say first 'cat >>sent'
expect_json .decision suppressed

# Nobody saw how this sending ended.
make_gate
printf 'third\n' | notify k -- ./gated 2>/dev/null &
wait_up
run=$(jq -r .run "$(step_session notify k)")
kill -s KILL "$(cat boss)"
wait $! || :
for each in $(grep -laz "^HOLDFAST_RUN=$run\$" /proc/[0-9]*/environ 2>/dev/null || :); do
  pid=${each#/proc/}
  kill -s KILL "${pid%/environ}" 2>/dev/null || :
done
"$HOLDFAST" wait notify:k --until lost >/dev/null 2>&1 || :
"$HOLDFAST" show notify:k --json >"$stdout" || :
[ "$(json_field .state)" = lost ] || skip 'without a control group nobody can prove that it is over'
expect_code 0 say third 'cat >>sent'
expect_json .decision suppressed
cmp -s sent expected || fail 'it was sent again'
expect_code 0 say fourth 'cat >>sent'
grep -q 'whether the notice of .* arrived is not known' sent || fail "sent: $(cat sent)"
