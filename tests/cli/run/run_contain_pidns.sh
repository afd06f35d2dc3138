#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--contain pidns`: the command runs in a pid namespace, and everything else is as without: codes, signals, leftovers.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
contained() { "$HOLDFAST" run --contain pidns "$@"; }
contained -- true 2>"$stderr" || skip "no pid namespace here: $(cat "$stderr")"

expect_code 7 contained --json -- sh -c 'exit 7'
expect_json .containment pidns
expect_code 137 contained --json -- sh -c 'kill -s KILL $$'
expect_json .state killed
expect_json .signal 9
expect_code 127 contained -- ./no-such-program
expect_code 126 contained -- /etc/passwd
echo text >in
expect_code 0 contained -- cat <in
expect_stdout_is text
expect_code 0 contained --chdir / -- pwd
expect_stdout_is /

# Its own numbers, its own /proc, and the caller's own user. No process of ours is seen.
expect_code 0 contained -- sh -c 'echo $$; id -u; readlink /proc/self/ns/pid; ls -d /proc/'"$$"' 2>/dev/null || :'
expect_stdout_contains "$(id -u)"
[ "$(head -n 1 "$stdout")" != "$$" ] || fail 'it has the numbers of outside'
[ "$(sed -n 3p "$stdout")" != "$(readlink /proc/self/ns/pid)" ] || fail 'it is in our own namespace'

# A deadline: TERM first, then KILL to all of it. What is left behind gets its TERM, too.
expect_code 124 contained --timeout 300ms --grace 20s -- sh -c 'trap "echo term; exit 3" TERM; while :; do sleep 0.05; done'
expect_stdout_is term
expect_code 124 contained --timeout 300ms --grace 100ms -- sh -c 'trap "" TERM; while :; do sleep 0.05; done'
expect_code 0 contained --json -- sh -c 'setsid sh -c "trap \"echo bye >left; exit\" TERM; echo up >up; while :; do sleep 0.05; done" &
  until [ -s up ]; do :; done'
[ "$(cat left)" = bye ] || fail 'what was left behind got no TERM'
expect_code 0 contained --wait-descendants -- sh -c '(sleep 0.2; echo late >late) &'
[ -s late ] || fail 'what was to be waited for was ended'

# A signal is passed on once.
mkfifo ready
"$HOLDFAST" run --contain pidns -- sh -c 'n=0; trap "n=\$((n + 1)); echo \$n >>terms" TERM; echo up >ready; while [ ! -s end ]; do sleep 0.05; done' &
front=$!
read -r _ <ready
kill -s TERM "$front"
tries=0
until [ -s terms ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 200 ] || fail 'the signal did not come'
  sleep 0.05
done
echo now >end
wait "$front" || :
[ "$(cat terms)" = 1 ] || fail "the signal came more than once: $(cat terms)"

# By name: stop and kill.
for how in stop kill; do
  expect_code 0 contained --name "$how" --detach -- sh -c 'setsid sleep 1000 & sleep 1000'
  expect_code 0 "$HOLDFAST" "$how" "$how" --json
  expect_json '.outcome // .sessions[0].outcome' killed
  expect_code 0 "$HOLDFAST" wait "$how" --until killed --timeout 20
done

# Where the kernel makes none, nothing runs: it never falls back in silence.
if unshare -Ur true 2>/dev/null; then
  # shellcheck disable=SC2016  # of the inner shell
  expect_code 125 unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_pid_namespaces; exec "$0" run --contain pidns -- touch ran' "$HOLDFAST"
  expect_stderr_contains 'pid namespace'
  [ ! -e ran ] || fail 'it ran without one'
fi
