#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Inside another container nobody can tell whether the holder of a lock died with its own: 69, and the message names
# --trust kernel, which lets the free lock of the kernel decide, on record first; a holder that lives keeps its lock.
# label: system
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes
inside='unshare --map-root-user --pid --fork --kill-child --mount-proc'
$inside true 2>/dev/null || skip 'no pid namespaces here'
: >f

# One that was killed with its container: no release, and its identity is in a namespace that cannot be seen.
# Descriptor 9 keeps the number of the namespace from being given to the next one.
mkfifo up down
dead() { # LOCK…: leaves it held by a dead process of another namespace
  # shellcheck disable=SC2016
  $inside sh -c 'echo >up; read -r _ <down; "$HOLDFAST" lock "$@" -- sh -c "kill -9 \$PPID \$\$"' dead "$@" >/dev/null 2>&1 &
  outer=$!
  read -r _ <up
  exec 9<"/proc/$(tr -d ' ' <"/proc/$outer/task/$outer/children")/ns/pid"
  echo >down
  wait "$outer" || :
}
for words in L '--file f'; do
  for how in option environment; do
    # shellcheck disable=SC2086
    dead $words
    # shellcheck disable=SC2086
    expect_code 69 $inside "$HOLDFAST" lock $words --wait 0s -- true
    expect_stderr_contains '--trust kernel'
    before=$("$HOLDFAST" journal count --type lock.expired)
    # shellcheck disable=SC2016,SC2086
    if [ "$how" = option ]; then
      expect_code 7 $inside "$HOLDFAST" lock $words --wait 0s --trust kernel -- \
        sh -c '[ "$("$HOLDFAST" journal count --type lock.expired)" -gt "$0" ] && exit 7' "$before"
    else
      expect_code 7 env HOLDFAST_TRUST=kernel $inside "$HOLDFAST" lock $words --wait 0s -- sh -c 'exit 7'
    fi
    [ "$("$HOLDFAST" journal count --type lock.expired)" -eq $((before + 1)) ] || fail "on record $("$HOLDFAST" journal count --type lock.expired), not once after $before: $words, $how"
  done
done
"$HOLDFAST" journal query --type lock.expired --json >events
jq -e -s 'map(.data.evidence) | unique == ["trust-kernel, other-pid-namespace"]' <events >/dev/null || fail "$(cat events)"

# The decision cannot be recorded: nothing is taken.
dead L
mv "$HOLDFAST_HOME/journal" away
: >"$HOLDFAST_HOME/journal"
code=0
$inside "$HOLDFAST" lock L --wait 0s --trust kernel -- touch ran 2>/dev/null || code=$?
[ "$code" -ne 0 ] || fail 'taken without a record'
[ ! -e ran ] || fail 'run without a record'
rm "$HOLDFAST_HOME/journal"
mv away "$HOLDFAST_HOME/journal"

# Who lives keeps it.
mkfifo locked go
"$HOLDFAST" lock M -- sh -c 'echo >locked; read -r _ <go' &
read -r _ <locked
# shellcheck disable=SC2086 # words
expect_code 75 $inside "$HOLDFAST" lock M --wait 0s --trust kernel -- true
echo >go
wait
