#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a run gets: the item on stdin, placeholders, its environment, a name of its own; a profile instead of a command;
# a lock that another has puts the item off without costing an attempt; ids separated by NUL bytes.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
cat >fix.toml <<'X'
[loop]
source = "cat items"
id = "number"
filter = { labels = "ready", "author.login" = ["ann", "bob"] }
exclude = { draft = "true" }
session = "issue-{number}"
run = ["sh", "-c", "cat >in; printf '%s\n' \"$@\" >words; env >environment", "-", "{title}", "{{{number}}}"]
env = { MODE = "fix" }
lock = "repo"
X
cat >items <<'X'
{"number":1,"labels":["ready"],"author":{"login":"eve"},"title":"no"}
{"number":2,"labels":["ready"],"author":{"login":"ann"},"title":"no","draft":true}
{"number":160,"labels":["wip","ready"],"author":{"login":"bob"},"title":"$(touch hacked); 'x' \"y\""}
X
mkfifo gate
"$HOLDFAST" lock repo -- sh -c 'read -r _ <gate' &
locked=$!
until [ "$("$HOLDFAST" locks repo --json 2>/dev/null | jq -r .state)" = held ]; do :; done
expect_code 0 "$HOLDFAST" loop fix.toml --once
[ "$(item 160 .attempts)" -eq 0 ] || fail 'a busy lock cost an attempt'
[ "$(item 160 .reason)" = busy ] || fail "$(item 160 .reason)"
expect_item 160 waiting
[ ! -e in ] || fail 'it ran beside the holder of its lock'
echo go >gate
wait "$locked"
expect_code 0 "$HOLDFAST" loop retry fix.toml 160
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item 160 'done'
[ ! -e hacked ] || fail 'a field became shell'
tail -n 1 items | cmp - in || fail 'the item on stdin'
printf '%s\n' "\$(touch hacked); 'x' \"y\"" '{160}' | cmp - words || fail "the words: $(cat words)"
for line in MODE=fix HOLDFAST_ITEM_ID=160 HOLDFAST_LOOP=fix HOLDFAST_ATTEMPT=1 HOLDFAST_SESSION=issue-160; do
  grep -qx "$line" environment || fail "$line"
done
[ "$("$HOLDFAST" loop status fix.toml --json 2>/dev/null | jq '.items | length')" -eq 1 ] || fail 'the filters'

cat >profiles.toml <<'X'
[session.agent]
command = "cat >by-profile"
timeout = "30s"
[[session.agent.refresh]]
path = "config.json"
command = "echo {}"
X
cat >nul.toml <<'X'
[loop]
source = "printf 'a b\\0c/d\\0'"
output = "nul"
profile = "profiles.toml"
session_profile = "agent"
X
expect_code 0 "$HOLDFAST" loop nul.toml --once
[ "$("$HOLDFAST" loop status nul.toml --json 2>/dev/null | jq -r '[.items[].state] | join(" ")')" = 'done done' ] ||
  fail "$("$HOLDFAST" loop status nul.toml)"
[ "$(cat config.json)" = '{}' ] || fail 'the profile was not prepared'
[ "$(jq -r .id by-profile)" = c/d ] || fail "$(cat by-profile)"
expect_code 0 "$HOLDFAST" show 'nul-c/d'

# A field that is not there: the command is not run with a hole in it.
sed 's/{title}/{tilte}/; s/^lock.*/name = "typo"/' fix.toml >typo.toml
expect_code 0 "$HOLDFAST" loop typo.toml --once
expect_stderr_contains tilte
[ "$("$HOLDFAST" loop status typo.toml --json 2>/dev/null | jq -r '.items[0].reason')" = not-startable ] || fail 'the reason'
