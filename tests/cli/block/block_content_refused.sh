#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Content that has a marker of any id, is empty, has NUL bytes or leaves a fence open is refused, and so is a
# file that is no text.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'u\n' >f.sh
keep f.sh
for line in '# <<< holdfast x' '  # >>> holdfast other sha256:0123456789abcdef' '# >>> holdfast lost'; do
  printf 'a\n%s\n' "$line" >content
  expect_code 65 put f.sh --id x --from content --json
  expect_json .error.cause content-has-marker
  expect_kept f.sh
done
expect_code 65 put f.sh --id x </dev/null
expect_stderr_contains 'empty'
printf 'a\0b' >content
expect_code 65 put f.sh --id x --from content --json
expect_json .error.cause content-not-text
expect_kept f.sh
expect_code 0 put f.sh --id x --allow-empty </dev/null
expect_bytes f.sh 'u\n# >>> holdfast x sha256:e3b0c44298fc1c14\n# <<< holdfast x\n'

printf 'u\n' >f.md
printf '```sh\nls\n' >content
expect_code 65 put f.md --id x --from content --json
expect_json .error.cause content-opens-fence
printf '# BEGIN x\n' >content
printf 'u\n' >f.env
expect_code 65 put f.env --begin '# BEGIN x' --end '# END x' --from content

printf 'u\0\n' >binary
keep binary
echo a | expect_code 65 put binary --id x --json
expect_json .error.cause not-text
expect_kept binary
printf '\377\376u\0' >utf16
echo a | expect_code 65 put utf16 --id x
expect_code 65 "$HOLDFAST" block check utf16
