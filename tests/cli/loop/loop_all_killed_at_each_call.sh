#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The loop and everything that it started are killed, each process at its Nth call of a kind: the item still comes to
# its end, and no act is repeated unless the world said in between that it had not taken place.
# label: sweep
. "$(dirname -- "$0")/../../lib/sweep.inc"
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'
make_world
items good
script close <<'X'
echo "close $1" >>story
echo yes >"closed.$1"
X
script is_closed <<'X'
[ ! -e "closed.$1" ] || { echo "closed $1 yes" >>story; exit 0; }
echo "closed $1 no" >>story
exit 1
X
# repeated ACT DENIAL: true where ACT was repeated without DENIAL in between.
repeated() {
  awk -v act="$1" -v denial="$2" '
    $0 == act { if (open) bad = 1; open = 1 }
    $0 == denial { open = 0 }
    END { exit !bad }' story
}
deaths=0
killed() {
  where="killed at $1 $2"
  : >story
  rm -f merged.* closed.*
  # A lost notice, or a run that nobody can prove to be over, must not stand in the way here.
  loop_file "name = \"$1-$2\"" 'attempts = 20' 'backoff = ["0s"]' 'verify_every = "1ms"' 'every = "1ms"'
  sed -i 's|^on_success = .*|on_success = { run = ["./close", "{id}"], verify = ["./is_closed", "{id}"] }|' fix.toml
  strace -f -qq -o trace -e trace="$1" -e inject="$1":signal=KILL:when="$2" \
    "$HOLDFAST" loop fix.toml --once >"$stdout" 2>"$stderr" || :
  rounds=0
  while :; do
    code=0
    "$HOLDFAST" loop fix.toml --once >"$stdout" 2>"$stderr" || code=$?
    [ "$code" -eq 0 ] || fail "$where: the next loop answers $code"
    "$HOLDFAST" loop status fix.toml --json >answer 2>/dev/null || fail "$where: no status"
    one_line answer
    item_state good
    [ "$value" != 'done' ] || break
    rounds=$((rounds + 1))
    [ "$rounds" -lt 9 ] || fail "$where: the item stays $value: $("$HOLDFAST" loop status fix.toml) $("$HOLDFAST" ps -a)"
  done
  ! repeated 'run good' 'verify good no' || fail "$where: run again unverified: $(tr '\n' ';' <story)"
  ! repeated 'close good' 'closed good no' || fail "$where: closed again unverified: $(tr '\n' ';' <story)"
  [ "$(how_often 'verify good yes')" -ge 1 ] || fail "$where: done without verification"
  [ -e closed.good ] || fail "$where: done, and on_success did not take place"
  grep -q 'killed by SIGKILL' trace || return 1
  deaths=$((deaths + 1))
}
"$HOLDFAST" run --name probe -- true
[ "$(jq -r .containment "$HOLDFAST_HOME/sessions/probe/session.json")" = cgroup ] ||
  skip 'no control groups here: an orphan without one cannot be proven to be over'
for call in write pwrite64 linkat renameat2 unlinkat fsync mkdirat clone,clone3; do
  n=1
  while killed "$call" "$n"; do
    n=$((n + 1))
    [ "$n" -lt 60 ] || fail "more than 60 calls of $call: something loops"
  done
done
[ "$deaths" -gt 20 ] || fail "only $deaths deaths: the sweep does not reach the program"
echo "$deaths deaths"
