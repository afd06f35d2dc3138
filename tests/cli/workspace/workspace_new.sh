#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A workspace gets a name, a directory and a record, whole, and one maker only gets it.
. "$(dirname -- "$0")/../../lib/lib.sh"

# The words of 0.1 are no alias: they name the new ones, and make nothing.
for word in attach detach end forget get list new resume set; do
  expect_code 64 "$HOLDFAST" session "$word" web
  expect_stderr_contains "holdfast workspace $word"
done
expect_code 64 "$HOLDFAST" session
expect_stderr_contains 'holdfast workspace'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made for nothing'

expect_code 0 "$HOLDFAST" workspace new web
expect_stdout_is "web
$HOLDFAST_HOME/sessions/web"
[ "$(stat -c %a "$HOLDFAST_HOME/sessions/web")" = 700 ] || fail 'the directory is not private'
[ "$(stat -c %a "$HOLDFAST_HOME/sessions/web/harness.json")" = 600 ] || fail 'the record is not private'

expect_code 75 "$HOLDFAST" workspace new web
expect_stderr_contains 'it is a workspace already'
expect_code 75 "$HOLDFAST" --json workspace new web
expect_json .error.cause name-taken

# Of a run, and of something else.
expect_code 0 "$HOLDFAST" run --name job -- true
expect_code 75 "$HOLDFAST" workspace new job
expect_stderr_contains 'it is a session'
ln -s "$scratch/work" "$HOLDFAST_HOME/sessions/link"
expect_code 75 "$HOLDFAST" workspace new link
expect_stderr_contains 'is-link'

# Made-up names.
expect_code 0 "$HOLDFAST" --json workspace new --prefix job --resume-id 5b1c --ttl 1h
name=$(json_field .name)
case $name in job-????) ;; *) fail "made-up name: $name" ;; esac
expect_json .dir "$HOLDFAST_HOME/sessions/$name"
json_field '.token | test("^[0-9a-f]{32}$")' >/dev/null
json_field '.created | test("^20.*Z$")' >/dev/null
expect_code 0 "$HOLDFAST" workspace get "$name" resume-id
expect_stdout_is 5b1c
expect_code 64 "$HOLDFAST" workspace new x --prefix y

# Elsewhere: the name escaped, the parent there and no link, nothing replaced, nothing left.
expect_code 0 "$HOLDFAST" workspace new 'a/b' --dir 'out-{name}'
expect_stdout_is "a/b
$scratch/work/out-a%2Fb"
[ -d 'out-a%2Fb' ] || fail 'no directory outside'
mkdir real taken
ln -s real link
expect_code 77 "$HOLDFAST" workspace new l --dir link/x
expect_code 66 "$HOLDFAST" workspace new l --dir none/x
expect_code 75 "$HOLDFAST" workspace new l --dir taken
expect_stderr_contains 'nothing was made'
expect_code 77 "$HOLDFAST" workspace new l --dir .holdfast-trash
expect_code 77 "$HOLDFAST" workspace new l --dir "$HOLDFAST_HOME/sessions/inside"
expect_code 66 "$HOLDFAST" workspace get l
[ -z "$(ls -A real)$(ls -A taken)" ] || fail 'something was left'

# The caller is the owner; a process can vouch, and one that is not there cannot.
expect_code 0 "$HOLDFAST" --json workspace get web
expect_json .owner.pid $$
expect_json .authority null
expect_code 0 "$HOLDFAST" workspace new proc --authority "process:$$"
expect_code 0 "$HOLDFAST" workspace get proc authority
expect_stdout_is "process:$$"
expect_code 66 "$HOLDFAST" workspace new dead --authority process:4194303
expect_code 64 "$HOLDFAST" workspace new dead --authority paper:1
expect_code 66 "$HOLDFAST" workspace get dead

expect_code 0 "$HOLDFAST" journal count --type workspace.created
[ "$(cat "$stdout")" = 4 ] || fail 'not every creation is on record'

# Sixteen at once: one gets it.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
  { c=0; "$HOLDFAST" workspace new race >/dev/null 2>&1 || c=$?; echo $c >"race.$i"; } &
done
wait
[ "$(cat race.* | sort | uniq -c | tr -s ' \n' ' ')" = ' 1 0 15 75 ' ] || fail "race: $(cat race.*)"
leftover=$(find "$HOLDFAST_HOME/sessions" -name '.hf-stage-*')
[ -z "$leftover" ] || fail "left behind: $leftover"
