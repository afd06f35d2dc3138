#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A probe decides about its own sessions only, and only by a whole answer; everything else keeps.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

for i in 1 2 3; do new "web-$i" --authority "command:jobs/$i"; done
new other --authority command:else
all_there() {
  for i in 1 2 3; do [ -d "$sessions/web-$i" ] || fail "web-$i went: $1"; done
  [ -d "$sessions/other" ] || fail "other went: $1"
}

expect_code 0 gc --json
expect_reason unknown web-1 not-asked
all_there 'nobody was asked'

# Every way of not answering is "cannot tell".
for probe in 'exit 1' 'echo web-1; exit 3' 'kill -9 $$' 'printf web-1' 'printf "web\\001\\n"' 'no-such-program'; do
  expect_code 69 gc --probe "$probe" --json
  [ "$(jq '.removed | length' <"$stdout")" = 0 ] || fail "removed by: $probe"
  [ "$(jq '.skipped | length' <"$stdout")" = 1 ] || fail "not skipped: $probe"
  all_there "$probe"
done
expect_code 69 gc --probe 'sleep 60' --probe-timeout 200ms --json
expect_reason unknown web-1 timed-out
all_there 'a probe that hangs'
[ "$("$HOLDFAST" journal count --type gc.skipped)" -ge 7 ] || fail 'gc.skipped is missing'

# The brake: it knows none of them.
expect_code 77 gc --probe true --json
expect_reason kept web-1 braked
expect_json '.braked[0].reason' none-seen
all_there 'an empty answer'
expect_code 0 "$HOLDFAST" journal query --type gc.braked
expect_stdout_contains none-seen

# A pool's probe says nothing of the others; a pool that nobody is of is named, and its probe is not run.
expect_code 0 gc --probe 'jbos=touch ran; true'
expect_stderr_contains "'jbos=…' speaks for nobody"
expect_code 0 gc --probe 'FOO=1; touch ran'
expect_stderr_contains 'env FOO'
[ ! -e ran ] || fail 'a probe of nobody was run'
expect_code 64 gc --probe true --probe false
expect_code 0 gc --probe 'jobs=echo jobs/1; echo web-2' --json
expect_reason removed web-3 not-listed
expect_reason kept web-1 listed
expect_reason kept web-2 listed
expect_reason unknown other not-asked
[ ! -e "$sessions/web-3" ] || fail 'web-3 stays'

# Most of five.
for i in 4 5 6; do new "web-$i" --authority "command:jobs/$i"; done
expect_code 77 gc --probe 'jobs=echo web-1; echo web-2' --json
expect_json '.braked[0].reason' most-gone
expect_code 0 gc --probe 'jobs=echo web-1; echo web-2' --allow-all --json
expect_reason removed web-6 not-listed

# What it lists lives, also where its harness has ended it.
"$HOLDFAST" workspace end web-1 >/dev/null
expect_code 0 gc --probe 'jobs=echo web-1; echo web-2' --json
expect_reason kept web-1 listed
