#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a manifest declares is made with its exact type, mode and content, whatever the umask; again it
# changes nothing; every thing made is printed, in the JSON and on record.
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir conf
cat >conf/paths.toml <<'TOML'
[[path]]
path = "data/deep/state.json"
type = "file"
mode = "0664"
parents = true
initial = "{}\n"

[[path]]
path = "${SPOOL}/q"
type = "dir"
mode = "1777"

[[path]]
path = "~/spool"
type = "dir"
mode = "0750"
TOML
SPOOL=$HOME/spool
export SPOOL
for mask in 000 077; do
  rm -rf conf/data "$SPOOL"
  (umask "$mask" && exec "$HOLDFAST" ensure conf/paths.toml) >"$stdout" || fail "exit code $?"
  [ "$(cat conf/data/deep/state.json)" = '{}' ] || fail 'no initial content'
  modes=$(stat -c %a conf/data conf/data/deep conf/data/deep/state.json "$SPOOL" "$SPOOL/q" | tr '\n' ' ')
  [ "$modes" = '755 755 664 750 1777 ' ] || fail "modes $modes under umask $mask"
  [ "$(grep -c '^created /' "$stdout")" -eq 5 ] || fail 'not five lines'
done
echo mine >conf/data/deep/state.json
expect_code 0 "$HOLDFAST" ensure conf/paths.toml --json
expect_json '.created | length' 0
expect_json .present 3
[ "$(cat conf/data/deep/state.json)" = mine ] || fail 'the content of an existing file was touched'
expect_code 0 "$HOLDFAST" journal count --type ensure.created
expect_stdout_is 10
[ -z "$(find . "$SPOOL" -name '.hf-stage-*')" ] || fail 'something was left behind'
