#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The block of another tool is managed by its own two lines, which stay as they are; JSON has no comments and
# needs such lines.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'A=1\n# BEGIN drydock\nB=2\n# END drydock\nC=3' >.env
set -- --begin '# BEGIN drydock' --end '# END drydock'
expect_code 0 "$HOLDFAST" block get .env "$@"
expect_stdout_is B=2
echo B=9 | expect_code 0 put .env "$@"
expect_bytes .env 'A=1\n# BEGIN drydock\nB=9\n# END drydock\nC=3'
echo own | expect_code 0 put .env --id own
expect_code 0 "$HOLDFAST" block list .env "$@"
expect_stdout_contains '# BEGIN drydock: lines 2 to 4, 4 bytes'
expect_stdout_contains 'own: lines 6 to 8'
expect_code 0 "$HOLDFAST" block remove .env --id own
expect_code 0 "$HOLDFAST" block remove .env --id drydock "$@"
expect_bytes .env 'A=1\nC=3'
expect_code 0 "$HOLDFAST" journal count --type block.changed --where 'data.id=# BEGIN drydock'
expect_stdout_is 1
expect_code 0 "$HOLDFAST" journal count --type block.changed --where data.id=drydock
expect_stdout_is 1

printf '# BEGIN drydock\nuser\n' >.env
keep .env
echo B=9 | expect_code 65 put .env "$@"
expect_stderr_contains 'line 1: orphan-begin'
expect_kept .env

echo '{}' >a.json
echo x | expect_code 64 put a.json --id x
expect_stderr_contains 'no comments'
printf '{\n"a": 0,\n"b": 0\n}\n' >a.json
echo '"c": 1,' | expect_code 0 put a.json --begin '"a": 0,' --end '"b": 0'
expect_code 0 jq -e .c a.json
