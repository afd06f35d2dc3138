#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every step of a profile happens, in its order, and then the session runs; what is typed wins.
. "$(dirname -- "$0")/../../lib/profile.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir -p project elsewhere
cd project
write_profile
cd ../elsewhere
echo 'not for producers' | expect_code 0 "$HOLDFAST" run --profile ../project/holdfast.toml agent -- more
cd ../project
cat >expected <<END
ensure
refresh one
ensure
refresh two
layers
agent hello $HOME/place agent 4
END
cmp order expected || fail "the order is: $(cat order)"
printf '%s\n' -x 'a b' last more | cmp - words || fail 'the words are others'
[ "$(cat count)" = 2 ] || fail 'the stamp of the layers is missing'
[ "$(cat state/two.json)" = '{"from":"two"}' ] || fail 'it was not refreshed'
[ "$(stat -c %a state/two.json)" = 600 ] || fail 'its mode is another'
expect_code 0 "$HOLDFAST" show agent --json
expect_json .state exited

# What is typed wins.
expect_code 0 "$HOLDFAST" run --profile holdfast.toml --name other -e GREETING=bye --json -- '{layers}'
expect_json .name other
expect_json .step null
tail -n 1 order | grep -q "^agent bye $HOME/place other 4" || fail 'what was typed did not win'
tail -n 1 words | grep -qx '{layers}' || fail 'a typed word was replaced'
expect_code 127 "$HOLDFAST" run --profile holdfast.toml -C "$scratch"
tail -n 1 order | grep -q layers || fail 'chdir was not the typed one'
expect_code 64 "$HOLDFAST" run --profile holdfast.toml --timeout 0
expect_code 0 "$HOLDFAST" journal query --type file.replaced --json
