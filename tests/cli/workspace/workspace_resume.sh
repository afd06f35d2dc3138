#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The resume id is handed out to one owner at a time.
. "$(dirname -- "$0")/../../lib/lib.sh"

"$HOLDFAST" workspace new web >/dev/null
"$HOLDFAST" workspace detach web >/dev/null
expect_code 66 "$HOLDFAST" workspace resume web
expect_stderr_contains '--resume-id'
expect_code 0 "$HOLDFAST" workspace set web --resume-id 5b1c-77
expect_code 0 "$HOLDFAST" workspace resume web
expect_stdout_is 5b1c-77
expect_code 75 "$HOLDFAST" workspace resume web
expect_stderr_contains "pid $$"
expect_code 0 "$HOLDFAST" workspace detach web

# Eight at once: one gets it.
for i in 1 2 3 4 5 6 7 8; do
  { c=0; "$HOLDFAST" workspace resume web >"id.$i" 2>/dev/null || c=$?; echo $c >"code.$i"; } &
done
wait
[ "$(cat code.* | sort | uniq -c | tr -s ' \n' ' ')" = ' 1 0 7 75 ' ] || fail "codes: $(cat code.*)"
[ "$(cat id.*)" = 5b1c-77 ] || fail "ids: $(cat id.*)"
expect_code 0 "$HOLDFAST" --json workspace get web
expect_json .resumes 2
"$HOLDFAST" workspace detach web >/dev/null

expect_code 0 "$HOLDFAST" --json workspace resume web --owner none
expect_json .resume_id 5b1c-77
expect_json .resumes 3
token=$(json_field .token)
expect_code 0 "$HOLDFAST" workspace detach web --token "$token"

# A command gets it from its environment, and owns the workspace as long as it runs.
# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" workspace resume web -- sh -c 'echo "$HOLDFAST_RESUME_ID"'
expect_stdout_is 5b1c-77
# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" workspace attach web -- sh -c 'echo "${HOLDFAST_RESUME_ID-none}"'
expect_stdout_is none

expect_code 0 "$HOLDFAST" workspace end web --reason merged
expect_code 77 "$HOLDFAST" workspace resume web
expect_stderr_contains 'workspace new'
expect_code 0 "$HOLDFAST" journal count --type workspace.resumed
expect_stdout_is 4
