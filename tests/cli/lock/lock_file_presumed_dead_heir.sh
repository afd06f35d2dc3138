#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --presume-dead counts for a lock that outlived the flock(1) that took it: the kernel names a dead process, and who has
# inherited the descriptor is the holder. It is named, seen, and after the time that was given replaced.
. "$(dirname -- "$0")/../../lib/lib.sh"

: >config
flock .config.lock sh -c 'sleep 600 >/dev/null 2>&1 & echo $! >heir'
heir=$(cat heir)
trap 'kill "$heir" 2>/dev/null || :; remove_scratch' EXIT

expect_code 75 "$HOLDFAST" lock -n --file config --json -- touch ran
expect_json '.error.detail | test("pid '"$heir"' ")' true
expect_code 75 "$HOLDFAST" lock -n --file config --presume-dead 1h -- touch ran
[ ! -e ran ] || fail 'ran beside the holder'
expect_code 0 "$HOLDFAST" lock -w 30s --file config --presume-dead 1s -- touch ran
[ -e ran ] || fail 'did not run'
expect_code 0 "$HOLDFAST" journal query --type lock.taken --json
[ "$(tail -n 1 "$stdout" | jq -r '[.data.evidence, .data.holder.pid] | join(" ")')" = "presumed-dead $heir" ] ||
  fail "$(cat "$stdout")"
kill -0 "$heir" || fail 'the holder was ended'
