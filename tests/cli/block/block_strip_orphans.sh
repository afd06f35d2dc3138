#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# strip-orphans shows exactly the lines that would go, changes nothing before --apply, keeps the old version,
# and takes marker lines only; fenced markers stay.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

good='<!-- >>> holdfast g sha256:0123456789abcdef -->\r\ng\r\n<!-- <<< holdfast g -->\n'
# shellcheck disable=SC2059
printf "u1\r\n<!-- >>> holdfast a sha256:0123456789abcdef -->\nu2\n${good}<!-- <<< holdfast b -->\n\n  u3" >a.md
keep a.md
for mode in '' --plan; do
  expect_code 0 "$HOLDFAST" block strip-orphans a.md $mode
  expect_stdout_is "$(printf '2: <!-- >>> holdfast a sha256:0123456789abcdef -->\n7: <!-- <<< holdfast b -->')"
  expect_kept a.md
done
expect_code 0 "$HOLDFAST" block strip-orphans a.md --apply --json
expect_json .applied true
expect_json '[.lines[].kind] | join(" ")' 'orphan-begin orphan-end'
cmp -s "$(json_field .backup)" "$scratch/kept" || fail 'the old version is not kept'
expect_bytes a.md "u1\\r\\nu2\\n${good}\\n  u3"
expect_code 0 "$HOLDFAST" block check a.md
expect_code 0 "$HOLDFAST" block strip-orphans a.md --apply
expect_no_stdout
[ "$(find . -name 'a.md.bak-*' | wc -l)" -eq 1 ] || fail 'nothing to do made a backup'

printf '```\n<!-- <<< holdfast b -->\n```\n' >b.md
keep b.md
expect_code 65 "$HOLDFAST" block strip-orphans b.md --apply
expect_stderr_contains 'line 2'
expect_kept b.md
printf '<!-- <<< holdfast c -->\n' >>b.md
expect_code 0 "$HOLDFAST" block strip-orphans b.md --apply
expect_stderr_contains 'not in order'
expect_kept b.md
expect_code 64 "$HOLDFAST" block strip-orphans b.md --plan --apply

# A person's comment is no marker; what may be one blocks, is named, and stays.
printf '# >>> holdfast is nice\nu\n' >c.sh
printf 'x\n' >x.txt
expect_code 0 put c.sh --id a <x.txt
expect_code 0 "$HOLDFAST" block check c.sh
printf '# >>> holdfast setup\n# >>> holdfast is nice\nu\n' >d.sh
keep d.sh
expect_code 65 put d.sh --id a <x.txt
expect_stderr_contains 'line 1: malformed'
expect_code 65 "$HOLDFAST" block strip-orphans d.sh --apply
expect_stderr_contains 'line 1: malformed'
expect_kept d.sh
printf '# >>> holdfast b sha256:0123\n' >>d.sh
expect_code 0 "$HOLDFAST" block strip-orphans d.sh --apply --json
expect_json '[.lines[].line] | map(tostring) | join(" ")' 4
expect_json '[.left[]] | map(tostring) | join(" ")' 1
expect_kept d.sh
