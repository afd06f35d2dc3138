#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An anchor pins the journal up to its record: cutting off the end or rewriting it is then found, and not
# before. It goes to a file or to a command; a delivery that fails is 74 and on record.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append x.one
expect_code 0 "$HOLDFAST" journal verify --json
expect_json '.pinned, .pinned_to' "$(printf 'false\nnull')"
expect_code 0 "$HOLDFAST" journal anchor --to pins --json
seq=$(json_field .seq)
expect_json .to "$PWD/pins"
[ "$(stat -c %a pins)" = 600 ] || fail 'the file is not private'
expect_code 0 "$HOLDFAST" journal verify --json
expect_json '.pinned, .pinned_to' "$(printf 'true\n%s' "$seq")"
expect_json '.anchors[0] | .file, .state' "$(printf '%s\nholds' "$PWD/pins")"
append x.two
expect_code 0 "$HOLDFAST" journal verify --json
expect_json '.pinned, .pinned_to' "$(printf 'false\n%s' "$seq")"

expect_code 0 "$HOLDFAST" journal anchor --to '|cat >piped'
expect_code 0 "$HOLDFAST" journal anchor --to-command 'cat >>pins; echo said'
expect_stderr_contains said
expect_code 0 "$HOLDFAST" journal verify --anchor piped
expect_stdout_contains 'pinned    yes'
expect_code 74 "$HOLDFAST" journal anchor --to-command 'exit 3'
expect_stderr_contains 'ended with 3'
expect_code 74 "$HOLDFAST" journal anchor --to-command 'exec sleep 60' --timeout 0.1
expect_code 0 "$HOLDFAST" journal count --type journal.anchor_failed
expect_stdout_is 2
expect_code 66 "$HOLDFAST" journal anchor --to no/such/place
expect_code 64 "$HOLDFAST" journal anchor
if [ -w /dev/full ]; then expect_code 77 "$HOLDFAST" journal anchor --to /dev/full; fi

# A file that pins nothing is no proof of anything.
: >none
expect_code 65 "$HOLDFAST" journal verify --anchor none
expect_stderr_contains 'holds no anchor'
printf '\n\n' >none
expect_code 65 "$HOLDFAST" journal verify --anchor none

# A last line that was cut short takes nothing from the lines before it, and is told until a later anchor holds.
cp pins torn
expect_code 0 "$HOLDFAST" journal anchor --to torn
cp torn whole
printf '{"v":1,"jour' >>torn
for how in "--anchor $PWD/torn" ''; do
  # shellcheck disable=SC2086
  expect_code 65 "$HOLDFAST" journal verify $how --json
  expect_json '[.anchors[].state] | unique | .[]' holds
  expect_json '.pinned, (.damaged[] | .kind, .explained)' "$(printf 'true\nanchor-file\nfalse')"
done
expect_code 65 "$HOLDFAST" journal verify
expect_stdout_contains "DAMAGE    anchor-file: $PWD/torn:4: it is not one JSON object"
expect_code 0 "$HOLDFAST" journal anchor --to torn
expect_code 0 "$HOLDFAST" journal verify --anchor "$PWD/torn"
expect_stdout_contains 'known     anchor-file: '
expect_stdout_contains '; a later anchor holds'
[ "$(wc -l <torn)" -eq 5 ] || fail 'the next anchor does not begin on a line of its own'
cp whole torn
printf '%s' "$(cat whole)" >torn # whole but for its newline
expect_code 0 "$HOLDFAST" journal anchor --to torn
expect_code 0 "$HOLDFAST" journal verify
expect_stdout_contains 'pinned    yes'
printf 'other text\n' >torn
expect_code 65 "$HOLDFAST" journal verify
expect_stdout_contains "anchor-file: $PWD/torn:1: "
printf '{"v":2}\n' >torn
expect_code 69 "$HOLDFAST" journal verify
cp whole torn

# Cut off the end, the notes of the writers included: the chain is whole, the anchors know better.
head -n 2 "$(segment)" >short
cat short >"$(segment)"
rm -f "$HOLDFAST_HOME/journal/state"
expect_code 0 "$HOLDFAST" journal verify
expect_code 65 "$HOLDFAST" journal verify --anchor pins --json
expect_json '[.anchors[].state] | unique | .[]' fails
expect_json '.damaged[0].kind' anchor
rm -r "$HOLDFAST_HOME"
expect_code 65 "$HOLDFAST" journal verify --anchor pins
expect_code 65 "$HOLDFAST" journal verify --anchor "$0"
expect_code 65 "$HOLDFAST" journal verify --anchor none
