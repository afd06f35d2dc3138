#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two starts of one profile both do its steps, and one of the two gets the name: the other is 75 and starts nothing. A
# step that fails for want of room (74) is 125 and named, and its session does not start.
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo up go
cat >holdfast.toml <<'X'
[session.agent]
command = "echo ran >>ran; echo >up; read -r _ <go"
[[session.agent.refresh]]
path = "config"
command = "echo step >>steps; cat steps"
[session.large]
command = "echo ran >>ran"
[[session.large.refresh]]
path = "large"
command = "head -c 9000000 /dev/zero"
X
"$HOLDFAST" run --profile agent &
first=$!
read -r _ <up
expect_code 75 "$HOLDFAST" run --profile agent
[ "$(wc -l <steps) $(wc -l <ran)" = '2 1' ] || fail "$(wc -l <steps) steps, $(wc -l <ran) runs"
[ "$(wc -l <config)" -eq 2 ] || fail 'the second start did not refresh the file'
echo >go
wait "$first" || fail "the first one ended with $?"

echo old >large
expect_code 125 sh -c 'ulimit -f 8000 && exec "$0" run --profile large --json' "$HOLDFAST"
expect_json .step refresh
[ "$(cat large)" = old ] || fail 'the old file is gone'
[ "$(wc -l <ran)" -eq 1 ] || fail 'its session was started'
