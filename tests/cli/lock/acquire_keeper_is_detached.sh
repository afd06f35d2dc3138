#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The keeper leads a session of its own, stands in /, has no descriptor of its caller, and takes no notice of signals.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

exec 7<.
owner x
keeper=$(keepers)
[ "$(cut -d' ' -f6 "/proc/$keeper/stat")" = "$keeper" ] || fail 'it is in the session of its caller'
[ "$(readlink "/proc/$keeper/cwd")" = / ] || fail 'it keeps a directory busy'
for fd in "/proc/$keeper"/fd/*; do
  case $(readlink "$fd") in
    /dev/null | "$HOLDFAST_HOME"/locks* | anon_inode:* | pidfd:*) ;;
    *) fail "a stray descriptor: $fd -> $(readlink "$fd")" ;;
  esac
done
for stream in 0 1 2; do
  [ "$(readlink "/proc/$keeper/fd/$stream")" = /dev/null ] || fail "stream $stream is not /dev/null"
done

for signal in HUP INT QUIT TSTP USR1 PIPE TERM; do kill -s "$signal" "$keeper"; done
expect_code 75 "$HOLDFAST" acquire x -n
case $(cut -d' ' -f3 "/proc/$keeper/stat") in
  [TZX]) fail 'a signal stopped or ended it' ;;
esac
end_owner KILL
wait_gone "$keeper"
expect_code 0 "$HOLDFAST" acquire x -n
expect_code 77 "$HOLDFAST" check x --token "$token"
