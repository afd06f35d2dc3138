#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where holdfast and its supervisor were killed, whatever the command left running with the lock's descriptor keeps the
# lock after the command's end; `break` frees it and signals nobody.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo up go
"$HOLDFAST" lock x -- sh -c 'sh -c "echo \$\$ >up; read -r _ <go" & read -r _ <go' 2>/dev/null &
holder=$!
read -r left <up
read -r supervisor _ <"/proc/$holder/task/$holder/children" || :
work=$(cut -d' ' -f4 "/proc/$left/stat")
for pid in "$holder" "$supervisor" "$work"; do kill -s KILL "$pid"; done
wait "$holder" 2>/dev/null || :
wait_until gone "$work"

expect_code 75 "$HOLDFAST" lock -n x -- touch ran
[ ! -e ran ] || fail 'ran beside what was left'
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state held
expect_code 0 "$HOLDFAST" break x --id "$(json_field .break_id)" --reason 'looked with ps'
kill -0 "$left" || fail 'break has ended somebody'
expect_code 0 "$HOLDFAST" lock -n x -- true
echo >go
