#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A NAME that is a path is flocked itself, as flock(1) does: both exclude each other, the file is made like flock's and
# never written, a directory and a link will do, and what is dangerous is refused.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v flock >/dev/null || skip 'there is no flock(1)'

# hold COMMAND…: in the background, until let_go.
hold() {
  mkfifo held go
  "$@" sh -c 'echo >"$1/held"; read -r _ <"$1/go" || :' sh "$PWD" &
  holder=$!
  read -r _ <held
  exec 8>go
}
let_go() {
  exec 8>&-
  wait "$holder" || :
  rm held go
}

# Made as flock makes it, and empty.
for mask in 022 077; do
  rm -f a b
  (umask "$mask" && flock a true && "$HOLDFAST" lock ./b true)
  [ "$(stat -c '%a %s' a)" = "$(stat -c '%a %s' b)" ] || fail "not as flock makes it, umask $mask"
done
printf content >kept
touch -d 2001-02-03 kept
before=$(stat -c '%i %a %s %Y' kept)
expect_code 0 "$HOLDFAST" lock ./kept true
[ "$(stat -c '%i %a %s %Y' kept)$(cat kept)" = "${before}content" ] || fail 'the file was changed'
[ "$(find . -name '.*' -type f)" = '' ] || fail 'something lies beside it'

# Both directions, a directory and a link too, under every name of it.
mkdir d
ln -s x link
for name in ./x "$PWD/x" ./link ./d ../work/d/ --path=x; do
  target=x
  case $name in *d | */d/) target=d ;; esac
  hold "$HOLDFAST" lock "$name"
  expect_code 1 flock -n "$target" true
  expect_code 75 "$HOLDFAST" lock -n "./$target" true
  expect_stderr_contains 'it is held by pid '
  expect_code 0 "$HOLDFAST" locks "$name" --json
  expect_json .name "$PWD/$target"
  expect_json .state held
  expect_json .holder.foreign false
  let_go
  hold flock -F "$target"
  expect_code 75 "$HOLDFAST" lock -n "$name" true
  expect_stderr_contains "a process without a record in this home, pid $holder"
  expect_code 9 "$HOLDFAST" lock -w 0.1 -E 9 "$name" true
  expect_code 0 "$HOLDFAST" locks "$name" --json
  expect_json .state held
  expect_json .holder.pid "$holder"
  expect_json .holder.foreign true
  let_go
  expect_code 0 flock -n "$target" true
  expect_code 0 "$HOLDFAST" lock -n "$name" true
done

# Shared, in both.
hold flock -s x
expect_code 0 "$HOLDFAST" lock -n -s ./x true
expect_code 75 "$HOLDFAST" lock -n -x ./x true
let_go
hold "$HOLDFAST" lock -s ./x
expect_code 0 flock -n -s x true
expect_code 1 flock -n x true
let_go

# The words of flock(1).
expect_code 3 "$HOLDFAST" lock -n ./x -c 'exit 3'
expect_code 64 "$HOLDFAST" lock -n 9
expect_stderr_contains 'holdfast flock 9'
exec 9>x
expect_code 0 "$HOLDFAST" flock -n 9
expect_code 75 "$HOLDFAST" lock -n ./x true
exec 9>&-

# Acquire, check, release; break; the list. Another home has no record, and is kept out.
T=$("$HOLDFAST" acquire ./x)
expect_code 1 flock -n x true
expect_code 0 "$HOLDFAST" check ./x --token "$T"
expect_code 75 "$HOLDFAST" --home "$scratch/other" lock -n ./x true
expect_stderr_contains 'a process without a record in this home'
expect_code 0 "$HOLDFAST" --home "$scratch/none" locks ./x --json
expect_json .holder.foreign true
[ ! -e "$scratch/none" ] || fail 'a home was made for a look'
expect_code 0 "$HOLDFAST" locks --json
expect_json '.locks | map(.name) | join(" ")' "$PWD/x"
expect_code 0 "$HOLDFAST" release "$PWD/x" --token "$T"
expect_code 0 flock -n x true
T=$("$HOLDFAST" acquire --path x)
"$HOLDFAST" locks ./x --json >"$stdout"
expect_code 0 "$HOLDFAST" break ./x --id "$(json_field .break_id)" --reason test
expect_code 77 "$HOLDFAST" release ./x --token "$T"
expect_code 0 flock -n x true

# Re-entry, and a run that holds it.
expect_code 0 "$HOLDFAST" lock ./x "$HOLDFAST" lock -n "$PWD/x" true
mkdir sub
hold "$HOLDFAST" run --chdir sub --lock ./x
expect_code 1 flock -n x true
let_go

# A name that looks like the file beside us is no path, and that is said.
: >x.lock
expect_code 0 "$HOLDFAST" lock x.lock true
expect_stderr_contains './x.lock locks the file'
expect_code 0 "$HOLDFAST" -q lock x.lock true
expect_no_stderr
expect_code 0 "$HOLDFAST" lock y.lock true
expect_no_stderr

# What is no file, and what cannot be.
mkfifo fifo
expect_code 77 "$HOLDFAST" lock -n ./fifo true
expect_code 77 "$HOLDFAST" lock -n /dev/null true
expect_code 64 "$HOLDFAST" lock -n / true
expect_code 66 "$HOLDFAST" lock -n ./none/x true
ln -s loop loop
expect_code 77 "$HOLDFAST" lock -n ./loop true
expect_code 64 "$HOLDFAST" lock -n "./$(printf 'y%.0s' $(seq 250))" true
expect_stderr_contains 'too long'
