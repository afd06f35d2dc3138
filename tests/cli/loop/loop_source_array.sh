#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A source may print one JSON array, as `gh issue list --json number,title` does; `id` names the field that tells items
# apart. An array that is cut is no list (69), and starts nothing.
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >issues.toml <<'TOML'
[loop]
source = ["cat", "issues.json"]
id = "number"
exclude = { "labels.name" = "wip" }
run = ["sh", "-c", "echo \"$1\" >>ran", "sh", "{number}: {title}"]
attempts = 1
TOML
cat >issues.json <<'JSON'
[
  {"number": 12, "title": "a title with [brackets], \"quotes\"", "labels": []},
  {"number": 7, "title": "second", "labels": [{"name": "wip"}]},
  {"number": 8, "title": "third", "labels": [{"name": "bug"}]}
]
JSON
expect_code 0 "$HOLDFAST" loop issues.toml --once
printf '%s\n' '12: a title with [brackets], "quotes"' '8: third' >wanted
sort ran | cmp -s - wanted || fail 'not the items of the array'
printf '[]' >issues.json
expect_code 0 "$HOLDFAST" loop issues.toml --once
printf '[{"number": 99, "title": "new"}' >issues.json
expect_code 69 "$HOLDFAST" loop issues.toml --once
expect_stderr_contains 'the array is no usable JSON'
! grep -q 99 ran || fail 'a part of a list was taken for the list'
printf '[{"number": 99, "title": "new"}, {"title": "no number"}]' >issues.json
expect_code 69 "$HOLDFAST" loop issues.toml --once
expect_stderr_contains 'element 2 has no id'
