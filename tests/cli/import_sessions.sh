#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import sessions: directories get records and stay as they are; links, launches and strangers are left alone.
. "$(dirname -- "$0")/lib.sh"

verdict() { jq -r --arg n "$1" '.records[] | select(.name == $n) | .verdict + " " + .reason' <"$stdout"; }
expect_verdict() { [ "$(verdict "$1")" = "$2" ] || fail "$1 is $(verdict "$1"), not $2"; }

mkdir old
for disc in ab12 0f0f beef; do
  mkdir -p "old/.claude-container-$disc/projects"
  echo precious >"old/.claude-container-$disc/projects/t.jsonl"
done
echo 0b8f0c86-6f2c-4b44-9f0d-6d6c6f2f0a11 >old/.claude-container-ab12/session-id
echo '.*' >old/.claude-container-0f0f/session-id
: >old/.claude-container-beef/.launching
mkdir old/.claude-container-xyz1 old/.claude-container-AB12 old/.claude-container-ab123
mkdir elsewhere
ln -s ../elsewhere old/.claude-container-1111
: >old/.claude-container-2222
before=$(cd old && find . -exec stat -c '%n %Y %i %a' {} + | sort)

expect_code 77 "$HOLDFAST" import sessions old --json
expect_json '[.counts.importable, .counts.held, .counts.refused] | join(" ")' '2 1 2'
expect_verdict .claude-container-beef 'held launching'
expect_verdict .claude-container-1111 'refused is-link'
expect_verdict .claude-container-2222 'refused not-a-directory'
expect_code 0 "$HOLDFAST" session list --json
expect_json '.sessions | length' 0
[ "$("$HOLDFAST" journal count --type '*')" -eq 0 ] || fail 'a plan was put on record'
[ "$(cd old && find . -exec stat -c '%n %Y %i %a' {} + | sort)" = "$before" ] || fail 'a plan has changed the sources'
expect_code 77 "$HOLDFAST" import sessions old --apply --json
expect_json .counts.imported 2
expect_code 77 "$HOLDFAST" import sessions old --apply --json
expect_json '[.counts.imported, .counts.already] | join(" ")' '0 2'
[ "$("$HOLDFAST" journal count --type import.done)" -eq 2 ] || fail 'not each is on record once'

expect_code 0 "$HOLDFAST" session get .claude-container-ab12 --json
expect_json .resume_id 0b8f0c86-6f2c-4b44-9f0d-6d6c6f2f0a11
expect_json .dir "$scratch/work/old/.claude-container-ab12"
# What an agent could have written there is not handed out.
expect_code 0 "$HOLDFAST" session get .claude-container-0f0f --json
expect_json .resume_id null
[ "$(cd old && find . -exec stat -c '%n %Y %i %a' {} + | sort)" = "$before" ] || fail 'the sources were changed'
# Nobody vouches for them, so gc keeps them.
expect_code 0 "$HOLDFAST" gc --grace 0 --json
expect_json '.removed | length' 0
expect_code 66 "$HOLDFAST" import sessions elsewhere

# Of another harness, which names them differently; and somebody who knows whether they live.
mkdir other
for disc in 11aa 22bb; do mkdir "other/.dock-$disc" && echo precious >"other/.dock-$disc/file"; done
expect_code 66 "$HOLDFAST" import sessions other
for prefix in '' '.dock-*' '.doc?-' ../old/.claude-container-; do
  expect_code 64 "$HOLDFAST" import sessions other --prefix "$prefix" --apply
done
expect_code 0 "$HOLDFAST" import sessions other --prefix .dock- --authority 'command:box/{*}' --json
expect_json .counts.importable 2
expect_code 66 "$HOLDFAST" session get .dock-11aa
expect_code 0 "$HOLDFAST" import sessions other --prefix .dock- --authority 'command:box/{*}' --apply --json
expect_json .counts.imported 2
expect_code 0 "$HOLDFAST" session get .dock-11aa authority
expect_stdout_is command:box/11aa
expect_code 0 "$HOLDFAST" gc --grace 0 --probe 'box=echo box/22bb' --json
expect_json '[.removed[].name] | join(" ")' .dock-11aa
[ ! -e other/.dock-11aa ] || fail 'the one that nobody knows any more is still there'
[ -e other/.dock-22bb/file ] || fail 'the one that lives has gone'
expect_code 0 "$HOLDFAST" session get .claude-container-ab12 # nobody vouched for that one, and nobody was asked
expect_code 64 "$HOLDFAST" import sessions old --authority nonsense --apply
expect_code 64 "$HOLDFAST" import sessions old --authority 'command:box/{disc}' --apply
