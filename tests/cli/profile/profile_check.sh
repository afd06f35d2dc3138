#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `profile check` explains every step with absolute paths, changes nothing and runs nothing.
. "$(dirname -- "$0")/../../lib/profile.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

write_profile
find . | sort >"$scratch/before"
expect_code 0 "$HOLDFAST" profile check holdfast.toml
expect_stdout_contains "session agent of $PWD/holdfast.toml"
for line in "1. ensure $PWD/paths.toml" "! missing $PWD/state" "2. refresh $PWD/state/one" \
  "3. refresh $PWD/state/two.json" '--check json' "4. layers $PWD/layers.toml" 'made: what this prints' \
  '5. lock repo' '6. run ./agent' "--env PLACE=$HOME/place" '--timeout 1m'; do
  grep -qF -e "$line" "$stdout" || fail "stdout lacks: $line"
done
expect_code 0 "$HOLDFAST" profile check holdfast.toml agent --json
expect_json '[.sessions[0].steps[].step] | join(" ")' 'ensure refresh refresh layers lock run'
expect_json '.sessions[0].steps[0].found[0]' "missing $PWD/state"
expect_json '.errors | length' 0
find . | sort | cmp - "$scratch/before" || fail 'something was changed'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'

# What would stop a start.
mkdir -m 755 state
expect_code 66 "$HOLDFAST" profile check holdfast.toml
expect_stdout_contains "! drift $PWD/state: mode 0755, declared 0700"
rmdir state
ln -s . state
expect_code 77 "$HOLDFAST" profile check holdfast.toml
expect_stdout_contains "! refused $PWD/state"
rm state
expect_code 66 "$HOLDFAST" profile check holdfast.toml none
expect_code 66 "$HOLDFAST" profile check none.toml

# One session's fault does not hide another's.
printf '[session.a]\ncommand = "x"\nlimts = {}\n[session.b]\ncommand = "y"\n[session.c]\ncommand = []\n' >three.toml
expect_code 78 "$HOLDFAST" profile check three.toml --json
expect_json '[.errors[].subject] | join(" ")' 'three.toml:3:1 three.toml:7:1'
expect_json '.sessions[0].name' b
expect_json .error.subject three.toml:3:1
expect_code 0 "$HOLDFAST" profile check three.toml b
