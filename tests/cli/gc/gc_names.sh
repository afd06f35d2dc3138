#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Odd names are sessions like any other; a record that is damaged, newer or another's keeps, and is reported.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

odd=$(printf 'two\nlines \033[2J')
ended "$odd"
ended "$odd-2"
mkdir "$sessions/two%0Alines%20%1B[2J" 2>/dev/null || :
printf 'x' >"$(find "$sessions" -maxdepth 1 -name 'two*2')/$(printf 'new\nline')"
for name in torn empty newer other; do ended $name; done
head -c 40 "$sessions/torn/harness.json" >part
cat part >"$sessions/torn/harness.json"
: >"$sessions/empty/harness.json"
sed -i 's/"v":1/"v":99/' "$sessions/newer/harness.json"
sed -i 's/"name":"other"/"name":"another"/' "$sessions/other/harness.json"

expect_code 0 gc --trash-for 0
expect_stdout_contains 'removed two\x0alines \x1b[2J'
expect_stdout_contains 'unknown torn: corrupt-record'
expect_stdout_contains 'unknown empty: corrupt-record'
expect_stdout_contains 'unknown newer: newer-record'
expect_stdout_contains 'unknown other: corrupt-record'
for name in torn empty newer other; do [ -d "$sessions/$name" ] || fail "$name went"; done
cmp -s part "$sessions/torn/harness.json" || fail 'a damaged record was changed'

# A name that no line of a probe can hold is not dead because it was not listed.
control=$(printf 'a\tb')
new "$control" --authority command:jobs/1
new plain --authority command:jobs/2
expect_code 0 gc --probe 'echo plain' --allow-all --json
expect_reason unknown "$control" unlistable-name
expect_reason kept plain listed
