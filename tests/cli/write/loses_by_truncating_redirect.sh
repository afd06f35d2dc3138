#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `gen >file` empties the file before gen has said whether it can do its work; `holdfast write` does not.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

good='{"port":80}
'
restore() { printf '%s' "$good" >config.json; }
# A filter with a typing error, and one that reads what the redirect has just emptied.
# shellcheck disable=SC2094 # that is the mistake
naive_typo() { jq '.port = ' config.json >config.json; }
# shellcheck disable=SC2094 # that is the mistake
naive_same() { jq '.port = 8080' config.json >config.json; }
safe_typo() { write config.json -- jq '.port = ' config.json; }
safe_same() { write config.json -- jq -c '.port = 8080' config.json; }

restore
naive_typo 2>/dev/null && fail 'the naive version has become better'
[ ! -s config.json ] || fail 'the naive version has become better'
restore
naive_same || fail 'the naive version has become honest'
[ ! -s config.json ] || fail 'the naive version has become better'

restore
expect_code 65 safe_typo
expect_stderr_contains 'nothing was changed'
expect_file config.json "$good"
expect_code 0 safe_same
expect_file config.json '{"port":8080}
'
expect_only config.json
