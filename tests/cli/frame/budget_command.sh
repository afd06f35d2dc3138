#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --budget: a wrapped command is ended in time with all that it started, and what it had begun to write is finished.
. "$(dirname -- "$0")/../../lib/budget.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# A tree that ignores TERM and forks: it must be killed, and there must be time for that.
cat >stubborn <<'S'
trap '' TERM
sh -c 'trap "" TERM; echo $$ >>pids; while :; do sleep 1; done' &
echo $$ >>pids
while :; do sleep 1; done
S
all_gone() {
  while read -r pid; do
    if kill -0 "$pid" 2>/dev/null; then
      [ "$(cut -d ' ' -f 3 "/proc/$pid/stat" 2>/dev/null || echo Z)" = Z ] || fail "process $pid is left"
    fi
  done <pids
  rm pids
}
for how in run 'lock x' 'once key'; do
  begin
  # shellcheck disable=SC2086
  expect_code 124 "$HOLDFAST" $how --budget 1500ms --json --status-fd 3 -- sh stubborn 3>status
  took_at_most 4000
  expect_json .error.cause budget
  grep -q '"by":"holdfast","code":124,"signal":9,"reason":"budget"' status || fail "$how: $(cat status)"
  all_gone
done
expect_code 0 "$HOLDFAST" workspace new s --owner none
begin
expect_code 124 "$HOLDFAST" workspace attach s --guest --budget 1s -- sh stubborn
took_at_most 4000
all_gone

# One that ends in time has its own code, and one of its own limit its own cause.
expect_code 7 "$HOLDFAST" lock x --budget 20s -- sh -c 'exit 7'
expect_code 124 "$HOLDFAST" run --timeout 100ms --budget 20s --status-fd 3 -- sleep 60 3>status
grep -q '"reason":"deadline"' status || fail "$(cat status)"

# The lock is free again, and the waits before the command count.
expect_code 0 "$HOLDFAST" lock -n x --budget 20s -- true

# A producer that does not come to an end leaves the file as it was.
echo old >file
begin
expect_code 65 "$HOLDFAST" write file --budget 700ms --json -- sh -c 'echo half; exec sleep 60'
took_at_most 4000
expect_json .error.cause budget
[ "$(cat file)" = old ] || fail 'half a file was written'
