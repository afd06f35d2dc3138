#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A plan removes nothing and is applied once; a probe decides by a whole answer only; what is not rescued stays.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

ended one
expect_code 0 gc --plan --json
plan=$(json_field .plan_id)
expect_json .applied false
expect_reason removed one ended
[ -d "$sessions/one" ] || fail 'a plan removed something'
ended late
expect_code 0 "$HOLDFAST" gc --apply "$plan" --json
expect_reason removed one ended
[ ! -e "$sessions/one" ] || fail 'it is still there'
[ -d "$sessions/late" ] || fail 'it did more than its plan'
expect_code 66 "$HOLDFAST" gc --apply "$plan"
expect_code 0 gc --json
expect_reason removed late ended

for i in 1 2 3; do new "web-$i" --authority "command:jobs/$i"; done
for probe in 'exit 1' 'echo web-1& exit 3' 'no-such-program'; do
  expect_code 69 gc --probe "$probe" --json
  [ "$(jq '.removed | length' <"$stdout")" = 0 ] || fail "removed by: $probe"
done
expect_code 77 gc --probe 'rem' --json
expect_json '.braked[0].reason' none-seen
expect_code 0 gc --probe 'jobs=echo jobs/1&echo web-2' --json
expect_reason removed web-3 not-listed
expect_reason kept web-1 listed
expect_reason kept web-2 listed

ended late
echo words >"$sessions/late/transcript"
mkdir saved
expect_code 0 gc --json --rescue 'exit 3'
expect_reason failed late rescue-failed
[ -d "$sessions/late" ] || fail 'it went without a rescue'
saved=Z:$(printf '%s' "$PWD/saved/words" | tr / "\\\\")
expect_code 0 gc --json --rescue "copy transcript $saved"
expect_reason removed late ended
[ "$(cat saved/words)" = words ] || fail 'nothing was saved'
