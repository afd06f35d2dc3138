#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lock --slots N: up to N at once and never more, whoever comes when; each has a lock of its own, with fence and token;
# who waits gets whichever slot is freed; a slot is entered again, not taken twice.
. "$(dirname -- "$0")/../../lib/lib.sh"

for i in 1 2 3; do mkfifo "go.$i"; done
mkfifo up
exec 8<>up
for i in 1 2 3; do
  "$HOLDFAST" lock --slots 3 gpu -- sh -c 'echo "$HOLDFAST_LOCK $HOLDFAST_FENCE" >up; read -r _ <go.'$i &
  read -r name fence <&8
  [ "$name" = "gpu/${i}of3" ] || fail "slot $i is called $name"
  [ "$fence" -gt 0 ] || fail 'no fence'
done
expect_code 0 "$HOLDFAST" locks --json
expect_json '[.locks[] | select(.state == "held") | .name] | join(" ")' 'gpu/1of3 gpu/2of3 gpu/3of3'
expect_code 75 "$HOLDFAST" lock -n --slots 3 gpu -- touch second
expect_stderr_contains 'all 3 slots are taken'
expect_code 75 "$HOLDFAST" lock --json -w 100ms --slots 3 gpu -- touch second
expect_json .error.cause timeout
expect_json .held false
expect_code 0 "$HOLDFAST" lock -q --if-busy skip --slots 3 gpu -- touch second
expect_no_stderr
expect_code 0 "$HOLDFAST" journal query --type lock.busy --json
[ "$(jq -r .data.lock "$stdout" | sort -u)" = gpu ] || fail 'each slot is said to be busy'

# Two wait; whichever slot is freed goes to one of them: here the third, then the first.
waiters() { "$HOLDFAST" locks "gpu/${1}of3" --json | jq '.waiters | length'; }
await_waiters() {
  tries=0
  until [ "$(waiters 1)$(waiters 2)$(waiters 3)" = "$1$1$1" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail 'they do not wait for each slot'
    sleep 0.1
  done
}
for i in 1 2; do
  "$HOLDFAST" lock --slots 3 -w 60s gpu -- sh -c 'echo "$HOLDFAST_LOCK" >up' &
done
await_waiters 2
echo >go.3
read -r name <&8
[ "$name" = gpu/3of3 ] || fail "the slot that was freed is 3of3, not $name"
read -r name <&8
[ "$name" = gpu/3of3 ] || fail "the slot that was freed is 3of3, not $name"
"$HOLDFAST" lock --slots 3 -w 60s gpu -- sh -c 'echo "$HOLDFAST_LOCK" >up; read -r _ <go.3' &
read -r name <&8
"$HOLDFAST" lock --slots 3 -w 60s gpu -- sh -c 'echo "$HOLDFAST_LOCK" >up' &
await_waiters 1
echo >go.1
read -r name <&8
[ "$name" = gpu/1of3 ] || fail "the slot that was freed is 1of3, not $name"
for i in 2 3; do echo >go.$i; done
wait

# Inside it is entered again.
expect_code 0 "$HOLDFAST" lock --slots 1 one -- "$HOLDFAST" lock -n --json --slots 1 one -- true
expect_json .reentered true
expect_json .lock one/1of1

# Thirty at once.
mkdir running
: >began
cat >worker <<'SH'
#!/bin/sh
: >"running/$$"
set -- running/*
[ $# -le 4 ] || echo "$#" >>too_many
echo in >>began
rm "running/$$"
SH
chmod +x worker
i=0
while [ "$i" -lt 30 ]; do
  "$HOLDFAST" lock -w 120s --slots 4 crowd -- ./worker &
  i=$((i + 1))
done
wait
[ "$(wc -l <began)" -eq 30 ] || fail "$(wc -l <began) of 30 had their turn"
[ ! -e too_many ] || fail "more than four at once: $(sort -u too_many)"
[ ! -e second ] || fail 'a busy slot was taken'
