#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock that is a path, beside other features: gc retires its idle record and touches no file; a profile's and a run's
# relative path are found from elsewhere; commits below it are fenced; whoever is left behind keeps everybody out.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers
command -v flock >/dev/null || skip 'there is no flock(1)'
record() { find "$HOLDFAST_HOME/locks" -name "*$1.lock"; }

# gc: what is idle goes, with its file, without it, and without its directory; nothing is made for it.
mkdir gone
for name in ./kept ./removed ./gone/x; do "$HOLDFAST" lock "$name" true; done
rm -r removed gone
before=$("$HOLDFAST" lock ./kept sh -c 'echo "$HOLDFAST_FENCE"')
# A dead holder of a path that is gone by now.
"$HOLDFAST" lock ./dead sh -c 'kill -KILL "$PPID"; kill -KILL $$' 2>/dev/null || :
rm dead
owner ./held
expect_code 0 "$HOLDFAST" locks --state held --json
expect_json '.locks | map(.name) | join(" ")' "$PWD/held"
expect_code 0 "$HOLDFAST" locks --all --json
expect_json '.locks | length' 5
expect_code 0 "$HOLDFAST" gc --trash-for 0s --json
expect_json .retired 4
[ "$(record '')" = "$(record held)" ] || fail "left: $(ls "$HOLDFAST_HOME/locks")"
for file in removed gone dead; do [ ! -e "$file" ] || fail "gc made $file"; done
[ -e kept ] || fail 'gc removed a file'
expect_code 1 flock -n held true
[ "$("$HOLDFAST" lock ./kept sh -c 'echo "$HOLDFAST_FENCE"')" -gt "$before" ] || fail 'the fence went back'

# A profile, and a detached run: paths of the file's directory, and of where it was typed.
mkdir project elsewhere
cat >project/p.toml <<'T'
[session.agent]
command = "flock -n agent.lock true; echo $? >code"
lock = ["./agent.lock"]
T
(cd elsewhere && "$HOLDFAST" run --profile ../project/p.toml)
[ "$(cat project/code 2>/dev/null || cat elsewhere/code)" != '' ] || fail 'the profile did not run'
[ -f project/agent.lock ] || fail 'the lock of the profile lies elsewhere'
mkfifo go
(cd elsewhere && "$HOLDFAST" run --detach --name back --lock ./back.lock -- sh -c 'read -r _ <../go')
"$HOLDFAST" until --every 20ms --pass 1 --not-yet 0 -- flock -n elsewhere/back.lock true
expect_code 75 "$HOLDFAST" lock -n ./elsewhere/back.lock true
echo >go
expect_code 0 "$HOLDFAST" wait back --timeout 20s
expect_code 0 flock -w 20 elsewhere/back.lock true  # it goes back after the record is final

# Fences: a late write below a hold that was broken is refused.
echo 1 >data
expect_code 76 "$HOLDFAST" lock ./kept sh -c '
  id=$("$1" locks ./kept --json | jq -r .break_id)
  "$1" break ./kept --id "$id" --reason test
  "$1" write data -- echo 2; echo $? >refused' sh "$HOLDFAST"
[ "$(cat refused) $(cat data)" = '77 1' ] || fail "a late write went through: $(cat refused)"
