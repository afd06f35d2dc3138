#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Data comes from --data, a file or stdin; nothing is an empty object; what is no JSON object is 65 and
# records nothing.
. "$(dirname -- "$0")/../../lib/lib.sh"

echo '{"from":"file"}' >data.json
expect_code 0 "$HOLDFAST" journal append --type x.a --data @data.json
echo '{"from": "stdin"}' >input
expect_code 0 "$HOLDFAST" journal append --type x.a <input
expect_code 0 "$HOLDFAST" journal append --type x.a --data - <input
expect_code 0 "$HOLDFAST" journal append --type x.a </dev/null
expect_code 0 "$HOLDFAST" journal append --type x.a <&-
expect_code 0 "$HOLDFAST" journal query --type x.a --json
[ "$(jq -c .data <"$stdout" | tr '\n' ' ')" = '{"from":"file"} {"from":"stdin"} {"from":"stdin"} {} {} ' ] ||
  fail 'other data'

for data in '{' '[1]' '7' '{"a":1,"a":2}' '{"a":1}{"b":2}' '@no-such-file'; do
  code=0
  "$HOLDFAST" journal append --type x.bad --data "$data" >"$stdout" 2>"$stderr" || code=$?
  case $data in @*) wanted=66 ;; *) wanted=65 ;; esac
  [ "$code" -eq "$wanted" ] || fail "exit code $code, not $wanted: $data"
  expect_no_stdout
done
printf '{"a":"\377"}' >bytes
expect_code 65 "$HOLDFAST" journal append --type x.bad --data @bytes
expect_code 0 "$HOLDFAST" journal count --type x.bad
expect_stdout_is 0
