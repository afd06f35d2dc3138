#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A text that comes while another one is being sent is kept, and goes out with the next; one that is known is counted.
# The newest 32 texts are kept, and how many earlier ones found no room is said.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

say() { echo "$1" | "$HOLDFAST" notify k --json -- sh -c "$2"; }
make_gate
echo first | "$HOLDFAST" notify k -- ./gated &
wait_up
expect_code 75 say second 'cat >sent'
expect_json '.error.detail | contains("the text is kept")' true
expect_code 75 say first 'cat >sent'
expect_json '.error.detail | contains("was counted")' true
[ ! -e sent ] || fail 'two sendings at a time'
open_gate 0
wait
expect_code 0 say third 'cat >sent'
printf 'second\nthird\n(1 repeat was held back before this was sent)\n' | cmp -s - sent || fail "sent: $(cat sent)"

expect_code 5 say 0 'exit 5'
for i in 1 2 3 4 5 6 7; do
  for j in 1 2 3 4 5; do echo "$i$j" | "$HOLDFAST" notify -q k -- touch never 2>/dev/null || :; done
done
end_pause "$(step_file notify k)"
expect_code 0 say last 'cat >sent'
[ ! -e never ] || fail 'sent in the pause'
[ "$(wc -l <sent)" -eq 33 ] || fail "$(wc -l <sent) lines"
grep -qxF '(5 earlier notices could not be sent, and found no room here)' sent || fail "$(tail -n 1 sent)"
grep -qx 75 sent || fail 'the newest is missing'
