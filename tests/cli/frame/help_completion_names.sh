#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completions offer the names of sessions, locks, workspaces, keys and event types of the home that was typed. Asking
# makes no home, waits for nobody and never complains.
. "$(dirname -- "$0")/../../lib/lib.sh"

for kind in sessions locks workspaces keys events; do expect_code 0 "$HOLDFAST" __names "$kind"; done
[ ! -e "$HOLDFAST_HOME" ] || fail 'asking for names made a home'
expect_stdout_contains lock.acquired
expect_code 0 "$HOLDFAST" run --name nightly --no-log -- true
expect_code 0 "$HOLDFAST" lock deploy -- true
expect_code 0 "$HOLDFAST" once 'my key' -- true

names_are() {
  expect_code 0 "$HOLDFAST" __names "$1" "$2"
  [ "$(cat "$stdout")" = "$3" ] || fail "$1 $2: not '$3'"
  expect_no_stderr
}
names_are sessions n nightly
names_are sessions x ''
names_are locks d deploy
names_are keys my 'my key'
names_are events process.ki "$(printf 'process.kill_refused\nprocess.killed')"
chmod 000 "$HOLDFAST_HOME/locks" 2>/dev/null || :
expect_code 0 "$HOLDFAST" __names locks
expect_no_stderr
chmod 700 "$HOLDFAST_HOME/locks"
expect_code 0 "$HOLDFAST" help
! grep -q __names "$stdout" || fail 'the hidden command is in the manual'

docgen=$(dirname -- "$HOLDFAST")/src/cli/holdfast-docgen
[ -x "$docgen" ] || skip 'holdfast-docgen is not built'
command -v bash >/dev/null || skip 'bash is not installed'
mkdir completions
"$docgen" completions completions || fail 'docgen completions failed'
cat >drive.bash <<'BASH'
source completions/holdfast.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_holdfast
printf '%s\n' "${COMPREPLY[@]}"
BASH
offers() {
  wanted=$1
  shift
  bash --norc drive.bash "$HOLDFAST" "$@" >"$stdout" 2>"$stderr" || fail "bash failed: $*"
  grep -qxF -e "$wanted" "$stdout" || fail "not offered: $wanted"
}
offers nightly logs n
offers deploy release ''
offers deploy run --lock ''
offers 'my\ key' step show m
offers lock.acquired journal query --type lock.a
home=$HOLDFAST_HOME
HOLDFAST_HOME=$PWD/other
offers nightly --home "$home" logs n
[ ! -e other ] || fail 'asking for names made a home'

command -v fish >/dev/null || skip 'fish is not installed'
HOLDFAST_HOME=$home
mkdir bin
ln -s "$HOLDFAST" bin/holdfast
PATH=$PWD/bin:$PATH fish --no-config -c "source completions/holdfast.fish; complete -C 'holdfast logs n'" >"$stdout" 2>"$stderr" ||
  fail 'fish failed'
grep -qx nightly "$stdout" || fail 'fish does not offer the name of a session'
