#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without a word about it, three failures in a row end a series, and so do three iterations that change nothing. Its
# --timeout runs from its beginning, also while nobody drives it: then the next call starts nothing, and is 124.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 4 "$HOLDFAST" run --name errors --iterations 9 --json -- sh -c 'exit 4'
expect_json '"\(.reason) \(.done)"' 'errors 3'
expect_code 0 "$HOLDFAST" run --name idle --iterations 9 --progress 'echo same' --json -- true
expect_json '"\(.reason) \(.done)"' 'plateau 3'

late() {
  "$HOLDFAST" run --name late --iterations 9 --timeout 20s --until '[ ! -e ran ] || exit 69; exit 1' --json -- \
    sh -c 'echo ran >>ran'
}
expect_code 69 late
file=$HOLDFAST_HOME/sessions/late/series.json
# It began when the machine was started.
jq -c '.since.boot_ns = 0 | del(.crc32c)' "$file" >changed
cat changed >"$file"
expect_code 124 late
expect_json '"\(.reason) \(.done)"' 'deadline 1'
[ "$(wc -l <ran)" -eq 1 ] || fail 'an iteration was started after the deadline'
