#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A session whose record cannot be read (65) is closed by `stop --assume-gone`: the record is kept as evidence, the journal
# has who said so, the name can be used again, and whoever counted on the run finds it lost. It is refused as long as
# somebody has the name or is seen alive.
. "$(dirname -- "$0")/../../lib/lib.sh"

sessions=$HOLDFAST_HOME/sessions
close_it() { "$HOLDFAST" stop "$1" --assume-gone --reason 'power cut' --json; }

"$HOLDFAST" run --name x -- echo first >/dev/null
for damage in ': ' 'head -c 20 whole' 'head -c 300 /dev/zero'; do
  cp "$sessions/x/session.json" whole
  $damage >"$sessions/x/session.json"
  cp "$sessions/x/session.json" damage
  expect_code 65 "$HOLDFAST" stop x
  expect_code 65 "$HOLDFAST" run --name x -- true
  expect_code 0 close_it x
  expect_json '"\(.outcome) \(.evidence) \(.state)"' 'killed damaged-record lost'
  cmp damage "$sessions"/x/session.damaged-* || fail 'the evidence is gone'
  rm "$sessions"/x/session.damaged-*
  expect_code 0 "$HOLDFAST" ps -a
  expect_code 0 "$HOLDFAST" run --name x -- true
done
expect_code 0 "$HOLDFAST" journal query --type session.stopping --json
expect_stdout_contains '"damaged-record"'
expect_stdout_contains '"power cut"'

# Somebody has the name; then the supervisor is gone, and its command is seen.
mkfifo up
"$HOLDFAST" run --detach --name its-work -- sh -c 'echo up >up; exec sleep 600' >/dev/null
read -r _ <up
supervisor=$("$HOLDFAST" show its-work --json | jq .supervisor_pid)
command=$("$HOLDFAST" show its-work --json | jq .pid)
trap 'kill -s KILL "$command" 2>/dev/null || :; remove_scratch' EXIT
cp "$sessions/its-work/session.json" whole
: >"$sessions/its-work/session.json"
expect_code 75 close_it its-work
kill -9 "$supervisor"
code=0
close_it its-work >"$stdout" 2>"$stderr" || code=$?
case $code in 75 | 77) ;; *) fail "the command lives, and the answer is $code" ;; esac
[ -e "$sessions/its-work/session.json" ] || fail 'the record was moved while the command lives'
kill "$command"
tries=0
until close_it its-work >"$stdout" 2>"$stderr"; do
  tries=$((tries + 1))
  [ "$tries" -lt 500 ] || fail 'its command is gone, and it cannot be closed'
  sleep 0.02
done

# What counted on a run: a step is unsure and is not done again, an item of a loop is asked about or waits for a person.
cat >act <<'X'
#!/bin/sh
echo ran >>"ran.$1"
[ ! -e again ] || exit 0
kill -9 "$PPID"
X
chmod +x act
cat >loop.toml <<'X'
[loop]
source = "echo '{\"id\":\"i\"}'"
run = ["sh", "-c", "echo ran >>ran.loop; [ -e again ] || kill -9 $PPID"]
on_success = "true"
X
"$HOLDFAST" once k -- ./act once >/dev/null 2>&1 || :
"$HOLDFAST" loop loop.toml --once >/dev/null 2>&1 || :
for name in once%3Ak loop-i; do : >"$sessions/$name/session.json"; done
expect_code 65 "$HOLDFAST" once k -- ./act once
for name in once:k loop-i; do
  tries=0
  until close_it "$name" >"$stdout" 2>"$stderr"; do
    tries=$((tries + 1))
    [ "$tries" -lt 500 ] || fail "$name cannot be closed"
    sleep 0.02
  done
done
touch again
expect_code 0 "$HOLDFAST" step show k --json
expect_json .state unsure
"$HOLDFAST" loop loop.toml --once >/dev/null 2>&1 || :
expect_code 0 "$HOLDFAST" loop status loop.toml --json
expect_json '.items[0].state' unknown
[ "$(cat ran.once)$(cat ran.loop)" = ranran ] || fail 'it was done again'
expect_code 0 "$HOLDFAST" loop retry loop.toml i
expect_code 0 "$HOLDFAST" loop loop.toml --once
expect_code 0 "$HOLDFAST" loop status loop.toml --json
expect_json '.items[0].state' 'done'

# The record of the step itself: forgotten, and kept as evidence.
step=$HOLDFAST_HOME/once/once%3Ak.json
: >"$step"
expect_code 65 "$HOLDFAST" once k -- ./act once
expect_code 0 "$HOLDFAST" step forget k --kind once --reason 'looked: it was not done'
ls "$HOLDFAST_HOME"/once/once%3Ak.damaged-* >"$stdout" 2>"$stderr" || fail 'the evidence is gone'
expect_code 0 "$HOLDFAST" journal query --type step.forgotten --json
expect_stdout_contains '"damaged-record"'
expect_code 0 "$HOLDFAST" once k -- true
