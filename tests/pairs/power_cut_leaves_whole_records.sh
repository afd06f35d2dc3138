#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The power fails a moment after records were replaced, and after somebody else's sync wrote the names out but not the
# content (on xfs nothing but a sync of the file itself does that): each name has a whole record after the next boot. So
# sessions, steps, iterations and items go on, what gc removed is purged in time, and what was broken or taken stays so.
# label: system
. "$(dirname -- "$0")/../lib/own_mounts.inc"
. "$(dirname -- "$0")/../lib/power_cut.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

# act NAME: says that it runs, and waits; from the cut on it ends at once.
cat >act <<'X'
#!/bin/sh
echo ran >>"ran.$1"
[ ! -e again ] || exit 0
echo up >"up.$1"
read -r _ <"gate.$1"
X
chmod +x act
cat >loop.toml <<'X'
[loop]
source = "echo '{\"id\":\"i\"}'"
run = ["./act", "loop"]
verify = ["test", "-e", "ran.loop"]
X
acts='once attempt notify series loop run'
for name in $acts; do mkfifo "up.$name" "gate.$name"; done
once() { "$HOLDFAST" once k "$@" --json -- ./act once; }
attempt() { "$HOLDFAST" attempt k --max 3 --json -- ./act attempt; }
notify() { echo text | "$HOLDFAST" notify k --cooldown 3650d --json -- ./act notify; }
series() { "$HOLDFAST" run --name series --iterations 3 --json -- ./act series; }
loop() { "$HOLDFAST" loop loop.toml --once --json; }
run() { "$HOLDFAST" run --name run --json -- ./act run; }

power_cut_on() {
  rm -f again ran.*
  make_disk "$1"
  # What was there before, and is on the disk.
  "$HOLDFAST" run --name run -- true
  expect_code 1 "$HOLDFAST" attempt k --max 3 -- false
  for session in old older; do
    "$HOLDFAST" workspace new "$session" --owner none >/dev/null
    "$HOLDFAST" workspace detach "$session" --force -q >/dev/null
    "$HOLDFAST" workspace end "$session"
  done
  broken=$("$HOLDFAST" acquire broken --owner none --ttl 1h)
  taken=$("$HOLDFAST" acquire taken --owner none --ttl 100ms)
  sync -f disk

  for name in $acts; do
    "$name" >/dev/null 2>&1 &
    read -r _ <"up.$name"
  done
  for name in once:k attempt:k notify:k series loop-i run; do
    expect_code 0 "$HOLDFAST" wait "$name" --until running
  done
  expect_code 0 "$HOLDFAST" gc --grace 0 --trash-for 1s -q
  expect_code 0 "$HOLDFAST" lock taken --on-expired take --wait 10s -- true
  expect_code 77 "$HOLDFAST" check taken --token "$taken"
  expect_code 0 "$HOLDFAST" break broken --id "$("$HOLDFAST" locks broken --json | jq -r .break_id)" --reason runaway
  expect_code 77 "$HOLDFAST" check broken --token "$broken"
  echo theirs >disk/somebody-elses
  sync disk/somebody-elses
  cut_power

  touch again
  for name in $acts; do echo >"gate.$name"; done
  wait
  next_boot
  emptied=$(find disk/home -name '*.json' -size 0)
  [ -z "$emptied" ] || fail "$1: emptied by the cut: $emptied"
  expect_code 77 "$HOLDFAST" check taken --token "$taken"
  expect_code 77 "$HOLDFAST" check broken --token "$broken"
  expect_code 0 "$HOLDFAST" ps -a
  for name in once:k attempt:k notify:k series loop-i run; do
    expect_code 0 "$HOLDFAST" show "$name" --json
    expect_json .state lost
  done
  expect_code 0 once --verify 'test -e ran.once'
  expect_code 0 "$HOLDFAST" step show k --kind attempt --json
  expect_json '"\(.attempts) \(.lost)"' '2 1'
  expect_code 0 attempt
  expect_code 0 notify
  expect_code 0 series
  expect_code 0 loop
  expect_code 0 "$HOLDFAST" loop status loop.toml --json
  expect_json '.items[0].state' 'done'
  expect_code 0 run
  expect_code 0 "$HOLDFAST" gc --grace 0 --json
  expect_json .purged 2
  expect_code 0 "$HOLDFAST" journal verify
  umount "$boot" disk
  rmdir disk
  rm image cut
}
power_cut_on ext4
power_cut_on xfs
