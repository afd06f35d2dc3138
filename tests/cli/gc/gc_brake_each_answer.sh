#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The brake is for every answer that is used as a proof, and for each pool by itself.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

for name in a b c; do new "$name" --authority "command:$name"; done
printf 'b\nc\n' >live
expect_code 0 gc --plan --probe 'cat live' --json
expect_reason removed a not-listed
plan=$(jq -r .plan_id <"$stdout")
: >live
expect_code 77 "$HOLDFAST" gc --apply "$plan" --json
expect_reason kept a braked
[ -d "$sessions/a" ] || fail 'an answer that knows nobody was a proof'

# Only the second answer of a sweep is empty.
printf 'b\nc\n' >live
expect_code 77 gc --probe 'cat live; : >live' --json
expect_reason kept a braked
[ -d "$sessions/a" ] || fail 'the answer under the lock was not braked'
printf 'b\nc\n' >live
expect_code 0 gc --probe 'cat live; : >live' --allow command --json
expect_reason removed a not-listed

# A probe that forgets to name its pool speaks of another one, which it has never seen.
for name in x1 x2; do new "$name" --authority "command:x/$name"; done
for name in y1 y2; do new "$name" --authority "command:y/$name"; done
expect_code 77 gc --probe 'echo x1; echo x2; echo b; echo c' --json
expect_reason kept y1 braked
expect_reason kept y2 braked
expect_reason kept x1 listed
expect_code 0 gc --probe 'echo x1; echo x2; echo b; echo c' --allow command:y --json
expect_reason removed y1 not-listed

# Names that are padded are not names.
expect_code 69 gc --probe "printf '%-4s\n' x1 x2 b c" --json
expect_reason unknown x1 garbled
