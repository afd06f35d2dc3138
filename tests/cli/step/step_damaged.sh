#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A record that cannot be read is never "not done yet" and is never written over: damaged 65, newer 69, unsafe 77.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

"$HOLDFAST" once k -- true
"$HOLDFAST" once other -- true
file=$(step_file once k)
cp "$file" good.json
# refused CODE: by every command, and the bytes stay.
refused() {
  sha256sum "$file" >before
  expect_code "$1" "$HOLDFAST" once k -- touch ran
  expect_code "$1" "$HOLDFAST" step show --kind once k
  # What is damaged can be put aside by a person's word (stop_damaged_record.sh).
  [ "$1" -eq 65 ] || expect_code "$1" "$HOLDFAST" step forget --kind once k
  expect_code 69 "$HOLDFAST" step list --kind once --json
  expect_json '.steps | map(.key) | join(" ")' 'k other'
  expect_json '.steps[0].state' null
  sha256sum -c --status before || fail 'it was written over'
}
: >"$file" && refused 65
head -c 40 good.json >"$file" && refused 65
echo '{"v":1,"kind":"holdfast-step","step":"once","key":"another","created":"2026-11-15T07:46:00.000Z","runs":0}' >"$file" && refused 65
jq -c '.v = 2' good.json >"$file" && refused 69
jq -c 'del(.runs)' good.json >"$file" && refused 65
cat good.json >"$file"
chmod 666 "$file" && refused 77
chmod 600 "$file"
ln "$file" second && refused 77
rm second
rm "$file" && ln -s "$PWD/good.json" "$file" && refused 77
rm "$file" && cat good.json >"$file"
chmod 600 "$file"
expect_code 0 "$HOLDFAST" once k --json -- touch ran
expect_json .decision skipped

# The session of a run that was not counted cannot be read.
"$HOLDFAST" once t -- true
by=$("$HOLDFAST" identify $$ --json | jq -c 'del(.ok, .code)')
since='{boot: "00112233445566778899aabbccddeeff", boot_ns: 1, wall: .created}'
change "$(step_file once t)" ".pending = {run: .history[0].run, reserved: true, since: $since, by: $by}"
: >"$(step_session once t)"
expect_code 65 "$HOLDFAST" once t -- touch ran
[ ! -e ran ] || fail 'it ran'
