#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A block is put, brought up to date, read and removed; nothing else of the file changes, and the same
# content again changes nothing.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'mine\n' >rc
chmod 640 rc
keep rc
printf 'x\n' >content
expect_code 0 put rc --id tool/path --from content --json
expect_json .changed true
expect_json .committed true
expect_json .new_sha256 "$(sha256sum rc | cut -d' ' -f1)"
expect_bytes rc 'mine\n# >>> holdfast tool/path sha256:73cb3858a687a849\nx\n# <<< holdfast tool/path\n'
[ "$(stat -c %a rc)" = 640 ] || fail 'the mode changed'

expect_code 0 put rc --id tool/path --json <content
expect_json .changed false
expect_code 0 "$HOLDFAST" block get rc --id tool/path
cmp -s "$stdout" content || fail 'get is not what was put'
printf 'tail\n' >>rc
printf 'y\nz' | expect_code 0 put rc --id tool/path
expect_no_stdout
expect_bytes rc "$(printf 'mine\\n# >>> holdfast tool/path sha256:%s\\ny\\nz\\n# <<< holdfast tool/path\\ntail\\n' \
  "$(printf 'y\nz\n' | sha256sum | cut -c1-16)")"

expect_code 0 "$HOLDFAST" block list rc --json
expect_json '.blocks[0] | [.id, .first_line, .last_line, .bytes, .edited] | join(",")' tool/path,2,5,4,false
expect_code 0 "$HOLDFAST" block remove rc --id tool/path
expect_bytes rc 'mine\ntail\n'
expect_code 66 "$HOLDFAST" block remove rc --id tool/path
expect_code 66 "$HOLDFAST" block get rc --id tool/path
expect_stderr_contains 'no block'
expect_code 0 "$HOLDFAST" journal count --type block.changed --where data.id=tool/path
expect_stdout_is 3

expect_code 66 put absent --id a --from content
[ ! -e absent ] || fail 'a refused put made the file'
expect_code 0 put absent --id a --from content --create
expect_code 0 "$HOLDFAST" block remove absent --id a
expect_bytes absent ''
