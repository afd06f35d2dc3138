#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The power fails while steps, an iteration, an item of a loop and a named run are at work: after the next boot nobody can
# tell what they did, so none of them is taken for one that did not start. The disk is the real one: an image that is
# copied in the middle of the acts, with nothing written out; the next boot has another id.
# label: system
. "$(dirname -- "$0")/../lib/own_mounts.inc"
. "$(dirname -- "$0")/../lib/power_cut.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
make_disk ext4

# act NAME: says that it runs, and waits; from the cut on it ends at once.
cat >act <<'X'
#!/bin/sh
echo "ran ${HOLDFAST_ITERATION-}" >>"ran.$1"
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
on_success = "echo ran >>ran.followed"
X
acts='once attempt notify series loop run'
for name in $acts; do mkfifo "up.$name" "gate.$name"; done
once() { "$HOLDFAST" once k "$@" --json -- ./act once; }
attempt() { "$HOLDFAST" attempt k --max 1 --json -- ./act attempt; }
# (A cooldown that is longer than any machine can have been up.)
notify() { echo text | "$HOLDFAST" notify k --cooldown 3650d --json -- ./act notify; }
series() { "$HOLDFAST" run --name series --iterations 3 --json -- ./act series; }
loop() { "$HOLDFAST" loop loop.toml --once --json; }
run() { "$HOLDFAST" run --name run --json -- ./act run; }
for name in $acts; do
  "$name" >/dev/null 2>&1 &
  read -r _ <"up.$name"
done
cut_power
touch again
for name in $acts; do echo >"gate.$name"; done
wait
for name in $acts; do sed -i 1q "ran.$name"; done
rm ran.followed
next_boot

expect_ran() { # NAME WORDS
  [ "$(paste -sd, "ran.$1")" = "$2" ] || fail "$1: $(paste -sd, "ran.$1")"
}
for name in once:k attempt:k notify:k run; do
  expect_code 0 "$HOLDFAST" show "$name" --json
  expect_json .state lost
done
expect_code 0 "$HOLDFAST" step show --kind once k --json
expect_json .state unsure
# Whoever has somebody to ask asks first: it was done, so it is not done again.
expect_code 0 once --verify 'test -e ran.once'
expect_ran once 'ran '
expect_code 77 attempt
expect_ran attempt 'ran '
expect_code 0 "$HOLDFAST" step show --kind attempt k --json
expect_json '"\(.lost) \(.claimed)"' '1 null'
expect_code 0 notify
expect_json .decision suppressed
expect_ran notify 'ran '
# Its number is used up, and the series goes on behind it.
expect_code 0 series
expect_ran series 'ran 1,ran 2,ran 3'
expect_json '[.history[].state] | join(" ")' 'lost exited exited'
# The verification is asked, and what follows is done once.
expect_code 0 loop
expect_ran loop 'ran '
expect_ran followed ran
expect_code 0 "$HOLDFAST" loop status loop.toml --json
expect_json '.items[0].state' 'done'
# Without anybody to ask, and with nothing to count, it is done once more.
expect_code 0 run
expect_ran run 'ran ,ran '
umount disk
