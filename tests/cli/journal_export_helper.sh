#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A database is made by the helper beside the program: it gets the lines of the query on stdin; its failure is ours,
# and damage of the journal is 65 though the helper is content.
. "$(dirname -- "$0")/journal.inc"
. "$(dirname -- "$0")/lib.sh"

mkdir -m 0755 tools
cp "$HOLDFAST" tools/holdfast
HOLDFAST=$PWD/tools/holdfast
expect_code 66 "$HOLDFAST" journal export --format sqlite --output new.db
expect_stderr_contains 'holdfast-journal'
cat >tools/holdfast-journal <<'END'
#!/bin/sh
[ "$1 $2" = 'export-sqlite --output' ] || exit 64
echo "helper says hello"
cat >"$3"
exit "${HELPER_CODE:-0}"
END
chmod 0755 tools/holdfast-journal

append x.one '{"n":1}'
append x.two '{"n":2}'
append x.three '{"n":3}'
expect_code 0 "$HOLDFAST" journal export --format sqlite --output new.db --type 'x.*' --where data.n!=2 --json
expect_json .output new.db
[ "$(jq -r .type <new.db | tr '\n' ' ')" = 'x.one x.three ' ] || fail 'the helper got other lines'
expect_code 77 "$HOLDFAST" journal export --format sqlite --output new.db
export HELPER_CODE=74
expect_code 74 "$HOLDFAST" journal export --format sqlite --output failed.db
unset HELPER_CODE
sed -i 's/{"n":2}/{"n":4}/' "$(segment)"
expect_code 65 "$HOLDFAST" journal export --format sqlite --output damaged.db
expect_stderr_contains 'seg-0000000000000001.jsonl:'
[ "$(grep -c '"type":"x\.' damaged.db)" -eq 2 ] || fail 'what is readable was not exported'
