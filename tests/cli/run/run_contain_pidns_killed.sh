#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An ordinary user without control groups: the supervisor is killed, and with `--contain pidns` the whole tree is gone
# with it, by proof, whatever it did to hide. Without it, an orphan is left of which nobody can tell.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups
# As nobody, where that one can read the test and the program.
as_nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
if [ "$(id -u)" -eq 0 ] && $as_nobody sh -c '[ -x "$0" ] && [ -r "$1" ] && d=$(mktemp -d) && rmdir "$d"' "$HOLDFAST" "$this_test" 2>/dev/null; then
  cd /
  remove_scratch
  exec $as_nobody sh "$this_test"
fi
"$HOLDFAST" run --contain pidns -- true 2>"$stderr" || skip "no pid namespace here: $(cat "$stderr")"

# It leaves the session, its environment and its parent; it ignores what can be ignored; and it forks and exits.
cat >hide <<'X'
#!/bin/sh
trap '' TERM HUP INT
setsid env -i sh -c 'trap "" TERM HUP INT; echo $$ >>pids; while :; do sleep 0.05; done' &
setsid env -i sh -c 'chain() { echo $1 >chain; [ ! -e enough ] || exit 0; sleep 0.02; (chain $(($1 + 1)) &); exit 0; }; chain 1' &
until [ -s pids ] && [ -s chain ]; do :; done
readlink /proc/self/ns/pid >namespace
echo ready >ready
while :; do sleep 0.05; done
X
chmod +x hide

victim() {
  rm -f pids chain ready
  "$HOLDFAST" run --name "$1" --contain "$2" --detach -- ./hide >/dev/null || fail "no session $1"
  tries=0
  until [ -s ready ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 400 ] || fail "$1 does not come up"
    sleep 0.05
  done
  kill -s KILL "$(record "$1" .supervisor.pid)"
}
victim held pidns
expect_code 0 "$HOLDFAST" wait held --until lost --timeout 20
expect_code 0 "$HOLDFAST" show held --json
expect_json .state lost
expect_json .evidence pidns-gone
# The init itself may still be a zombie, until process 1 of the machine takes its status.
init=$(json_field .pid)
for link in /proc/[0-9]*/ns/pid; do
  [ "$link" != "/proc/$init/ns/pid" ] || continue
  [ "$(readlink "$link" 2>/dev/null)" != "$(cat namespace)" ] || fail "$link is left in its namespace"
done

# The name is free at once, and nobody has to say anything.
expect_code 0 "$HOLDFAST" run --name held --contain pidns -- true

# The front end and the supervisor at once, in the foreground.
"$HOLDFAST" run --name both --contain pidns -- sh -c 'echo up >up; exec sleep 1000' &
front=$!
until [ -s up ]; do sleep 0.05; done
kill -s KILL "$front" "$(record both .supervisor.pid)"
wait "$front" || :
expect_code 0 "$HOLDFAST" wait both --until lost --timeout 20

# Beside it, what happens without.
victim free auto
trap ': >"$scratch/work/enough"; kill -s KILL $(cat "$scratch/work/pids") 2>/dev/null || :; "$HOLDFAST" stop free --grace 0 >/dev/null 2>&1 || :; remove_scratch' EXIT
expect_code 0 "$HOLDFAST" wait free --until orphaned --timeout 20
expect_code 69 "$HOLDFAST" run --name free -- true
