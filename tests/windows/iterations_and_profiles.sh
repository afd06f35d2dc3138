#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run --iterations repeats until its goal is reached; run --profile does each step of the profile before the command.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

expect_code 0 "$HOLDFAST" run --name plain --iterations 3 --json -- "$cmd" /c 'echo %HOLDFAST_ITERATION%>>seen'
[ "$(plain seen | paste -sd' ')" = '1 2 3' ] || fail "seen: $(cat seen)"
expect_json '[.reason, .done, .errors] | join(" ")' 'iterations 3 0'
expect_code 0 "$HOLDFAST" show plain --json
expect_json .number 3
expect_code 0 "$HOLDFAST" run --name goal --iterations 9 --until 'if not exist seen2 exit 1' --json -- \
  "$cmd" /c 'echo x>seen2'
expect_json '[.reason, .done] | join(" ")' 'reached 1'
expect_code 76 "$HOLDFAST" run --name far --iterations 2 --until 'exit 1' --json -- "$cmd" /c 'exit 0'

cat >holdfast.toml <<'END'
[session.agent]
command = ["cmd.exe", "/c", "echo %GREETING% %HOLDFAST_SESSION%>said"]
env = { GREETING = "hello" }
timeout = "1m"
ensure = "paths.toml"

[[session.agent.refresh]]
path = "state/one.json"
command = "echo {\"from\":\"one\"}"
check = "json"
END
printf '[[path]]\npath = "state"\ntype = "dir"\nmode = "0700"\n' >paths.toml
expect_code 0 "$HOLDFAST" run --profile holdfast.toml agent
[ "$(jq -r .from state/one.json)" = one ] || fail 'it was not refreshed'
[ "$(plain said)" = 'hello agent' ] || fail "said: $(cat said)"

# What is typed wins; a check runs nothing and changes nothing.
expect_code 0 "$HOLDFAST" run --profile holdfast.toml --env GREETING=bye agent
[ "$(plain said)" = 'bye agent' ] || fail "said: $(cat said)"
rm -r said state
expect_code 0 "$HOLDFAST" profile check holdfast.toml
[ ! -e said ] || fail 'a check ran the command'
[ ! -e state ] || fail 'a check made something'
expect_code 0 "$HOLDFAST" run --profile holdfast.toml agent

# A step that fails stops it before the command, and keeps the old file.
rm said
sed -i 's/^command = "echo .*/command = "exit 3"/' holdfast.toml
code=0
"$HOLDFAST" run --profile holdfast.toml agent >"$stdout" 2>"$stderr" || code=$?
[ "$code" -ne 0 ] || fail 'a failed step was passed over'
[ ! -e said ] || fail 'the command ran'
[ "$(jq -r .from state/one.json)" = one ] || fail 'the old file is gone'
