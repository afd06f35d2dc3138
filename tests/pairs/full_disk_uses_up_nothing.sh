#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A disk that gets full at any moment of a start: a loop counts no attempt, and gives nothing up, for a command that was
# never let go, and no iteration that never began is counted as lost. With room again everything is done, once.
# label: system
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs -o size=3m,mode=0700 none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'umount small; remove_scratch' EXIT
HOLDFAST_HOME=$PWD/small/home

cat >act <<'X'
#!/bin/sh
echo "$1${HOLDFAST_ITERATION-}" >>"$ACTS"
X
chmod +x act
cat >loop.toml <<X
[loop]
source = ["echo", "{\"id\":\"1\"}"]
run = ["$PWD/act", "work"]
attempts = 1
every = "1ms"
on_failure = ["$PWD/act", "gave-up"]
X

# leave KIB: no more room than that.
leave() {
  free=$(df -k small | awk 'END { print $4 }')
  head -c $(((free - $1) * 1024)) /dev/zero >small/fill
}

for room in 0 4 8 12 16 20 24 28 32 36 40 48 56 64 80; do
  rm -rf small/*
  expect_code 0 "$HOLDFAST" journal append --type x.first --data '{}'
  ACTS=$PWD/loop-$room
  export ACTS
  leave "$room"
  "$HOLDFAST" loop loop.toml --once >"$stdout" 2>"$stderr" || :
  rm small/fill
  tries=0
  until [ "$("$HOLDFAST" loop status loop.toml --json 2>"$stderr" | jq -r '.items[0].state')" = 'done' ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 20 ] || fail "with $room KiB: $("$HOLDFAST" loop status loop.toml)"
    expect_code 0 "$HOLDFAST" loop loop.toml --once
  done
  [ "$(cat "$ACTS")" = work ] || fail "with $room KiB the loop did: $(cat "$ACTS")"

  ACTS=$PWD/series-$room
  leave "$room"
  code=0
  "$HOLDFAST" run --name n --iterations 3 -- ./act it >"$stdout" 2>"$stderr" || code=$?
  rm small/fill
  [ "$code" -eq 0 ] || expect_code 0 "$HOLDFAST" run --name n --iterations 3 -- ./act it
  [ "$(tr '\n' ' ' <"$ACTS")" = 'it1 it2 it3 ' ] || fail "with $room KiB the series did: $(cat "$ACTS")"
done
