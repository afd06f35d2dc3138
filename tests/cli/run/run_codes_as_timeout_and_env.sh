#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The exit status of `run` beside those of timeout(1) and env(1), case by case: the same, or different on purpose.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v timeout >/dev/null || skip 'there is no timeout(1)'
printf '#!/no/such/interpreter\n' >lacks
printf 'no program\n' >plain
chmod +x lacks plain
: >closed
chmod 600 closed

status() {
  code=0
  "$@" >/dev/null 2>&1 </dev/null || code=$?
  echo "$code"
}
# case NAME SAME|CODE COMMAND…: SAME demands what both others answer; a number what only we answer.
compare() {
  name=$1 expected=$2
  shift 2
  ours=$(status "$HOLDFAST" run -- "$@")
  named=$(status "$HOLDFAST" run --name "s-$name" -- "$@")
  [ "$ours" = "$named" ] || fail "$name: $ours without a name, $named with one"
  theirs=$(status timeout 60 "$@")
  envs=$(status env "$@")
  if [ "$expected" = same ]; then
    [ "$ours" = "$theirs" ] || fail "$name: $ours, timeout $theirs"
    [ "$ours" = "$envs" ] || fail "$name: $ours, env $envs"
  else
    [ "$ours" = "$expected" ] || fail "$name: $ours, not $expected"
  fi
}
for code in 0 1 2 64 75 124 125 126 127 128 255; do
  compare "exit-$code" same sh -c "exit $code"
done
compare not-found same ./no-such-program
compare not-in-path same no-such-program-anywhere
compare not-executable same ./closed
compare directory same /
# A shell sees 128+n in all three: env(1) is replaced by the command, timeout(1) dies of the same signal.
for signal in INT TERM KILL USR1 SEGV; do
  compare "signal-$signal" same sh -c "kill -$signal \$\$"
done
# On purpose: a file that is there, whose interpreter is not, is 126 and not "not found"; a file without #! is
# not handed to a shell.
compare no-interpreter 126 ./lacks
compare no-program 126 ./plain

# The deadline: 124 as timeout(1) says, also where KILL was needed, for which timeout says 137.
[ "$(status "$HOLDFAST" run --timeout 0.2 -- sleep 60)" -eq "$(status timeout 0.2 sleep 60)" ] || fail deadline
[ "$(status "$HOLDFAST" run --timeout 0.2 --grace 0.1 -- sh -c 'trap "" TERM; sleep 60')" -eq 124 ] || fail kill
