#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that exits with 69 cannot tell: it is run again later, costs no attempt, and the notice carries its last line.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file 'attempts = 2' 'verify_every = "1ms"'
items ci
script agent <<'X'
echo "run $1" >>story
echo 'CI answers 502'
exit 69
X
pass() { expect_code 0 "$HOLDFAST" loop fix.toml --once; }
for round in 1 2 3 4; do
  pass
  expect_item ci waiting
  [ "$(item ci .attempts)" -eq 0 ] || fail "round $round: $(item ci .attempts) attempts are counted"
  [ "$(item ci .reason)" = cannot-tell ] || fail "round $round: $(item ci .reason)"
done
expect_times 4 'run ci'
expect_times 4 'verify ci no'
pass
expect_times 1 'tell ci'
grep -q 'cannot tell' told.ci || fail "the notice: $(cat told.ci)"
grep -qxF 'Last line of output: CI answers 502' told.ci || fail "the notice: $(cat told.ci)"

# Without a verification, too; and what fails then costs an attempt as ever.
sed '/^verify = /d' fix.toml >without && mv without fix.toml
items other
pass
expect_item other waiting
[ "$(item other .attempts)" -eq 0 ] || fail 'an attempt is counted'
printf '#!/bin/sh\nexit 1\n' >agent
pass
[ "$(item other .attempts)" -eq 1 ] || fail 'a failed attempt is not counted'
