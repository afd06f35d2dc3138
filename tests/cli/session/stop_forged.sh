#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A record that names process 1, a stranger, or the run id or the group of another session leads to no signal.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers

"$HOLDFAST" run --detach --name other -- sleep 600
sleeper
stranger=$sleeper
sleeper
gone=$sleeper
alive() {
  kill -s 0 "$stranger" || fail "$1: the stranger was ended"
  kill -s 0 "$(record other .command.pid)" || fail "$1: another session was ended"
  expect_record other .state running
}

# The supervisor is no supervisor.
put_session a running 1 '.command = .supervisor'
put_session b running "$stranger"
kill -s STOP "$stranger"
for name in a b; do
  expect_code 69 "$HOLDFAST" stop "$name" --json
  expect_json .evidence nobody-listens
  alive "$name"
done
case $(sed 's/.*) //' "/proc/$stranger/stat") in T*) ;; *) fail 'a stranger was woken' ;; esac
kill -s CONT "$stranger"

# An orphan, whose supervisor is really dead.
put_session c running "$gone" ".command = $(identity_of 1)"
put_session d running "$gone" ".command = $(identity_of "$stranger")"
put_session e running "$gone" ".run = \"$(record other .run)\" | .command = .supervisor"
orphans='c d e'
# Without control groups there is none to be named.
if [ -n "$(record other '.cgroup.path // ""')" ]; then
  put_session f running "$gone" ".cgroup = $(record other .cgroup) | .command = .supervisor"
  put_session g running "$gone" \
    ".run = \"$(record other .run)\" | .cgroup = $(record other .cgroup) | .command = .supervisor"
  orphans='c d e f g'
fi
end_one "$gone"
for name in $orphans; do
  code=0
  "$HOLDFAST" stop "$name" --grace 0 --json >"$stdout" 2>"$stderr" || code=$?
  case $code in 69 | 77) ;; *) fail "$name: $code" ;; esac
  alive "$name"
  code=0
  "$HOLDFAST" adopt "$name" --json >"$stdout" 2>"$stderr" || code=$?
  case $code in 69 | 77) ;; *) fail "adopt $name: $code" ;; esac
  alive "$name"
done
expect_code 77 "$HOLDFAST" stop c --json
expect_json .evidence process-1
expect_code 77 "$HOLDFAST" stop d --json
expect_json .evidence not-its-command
case $orphans in *g*)
  expect_code 77 "$HOLDFAST" stop g --json
  expect_json .evidence other-session ;;
esac

# After a reboot it is lost, and nobody is looked for.
put_session h running "$stranger" '.supervisor.boot = "00000000000000000000000000000001" | .command = .supervisor'
code=0
"$HOLDFAST" stop h >"$stdout" 2>"$stderr" || code=$?
case $code in 66 | 69) ;; *) fail "h: $code" ;; esac
alive h
expect_code 0 "$HOLDFAST" stop other
