#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lock that is a path is shared by users: in a directory such as /tmp both exclude each other, whoever made the file;
# a link that another user planted there is refused, and nothing is made where it leads.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can be two users'
command -v setpriv >/dev/null || skip 'setpriv(1) is not installed'

chmod 755 "$scratch" "$scratch/work"
mkdir -m 1777 shared
mkdir -m 777 "$scratch/nobody"
as_nobody() {
  setpriv --reuid 65534 --regid 65534 --clear-groups env HOLDFAST_HOME="$scratch/nobody/home" "$@"
}
as_nobody "$HOLDFAST" --version >"$stdout" 2>&1 || skip 'nobody cannot run the program where it lies'

# theirs COMMAND…: a holder in the background, until let_go.
hold() {
  mkfifo -m 666 held go
  chmod 666 held go
  "$@" sh -c 'echo >held; read -r _ <go || :' &
  holder=$!
  read -r _ <held
  exec 8>go
}
let_go() {
  exec 8>&-
  wait "$holder" || :
  rm held go
}

for maker in root nobody; do
  name=$PWD/shared/of-$maker
  [ "$maker" = root ] && "$HOLDFAST" lock "$name" true
  [ "$maker" = nobody ] && as_nobody "$HOLDFAST" lock "$name" true
  [ "$(stat -c %U:%a "$name")" = "$maker:644" ] || fail "made by another: $(stat -c %U:%a "$name")"
  hold as_nobody "$HOLDFAST" lock "$name"
  expect_code 75 "$HOLDFAST" lock -n "$name" true
  expect_stderr_contains 'a process without a record in this home'
  expect_code 1 flock -n -F -s "$name" true
  let_go
  hold "$HOLDFAST" lock "$name"
  expect_code 75 as_nobody "$HOLDFAST" lock -n "$name" true
  expect_code 0 as_nobody "$HOLDFAST" locks "$name" --json
  expect_json .state held
  expect_json .holder.foreign true
  let_go
  expect_code 0 as_nobody "$HOLDFAST" lock -n "$name" true
  expect_code 0 "$HOLDFAST" lock -n "$name" true
done

# A file that its permissions keep from us, and directories that are not ours to write to.
(umask 077 && "$HOLDFAST" lock ./shared/private true)
expect_code 125 as_nobody "$HOLDFAST" lock -n ./shared/private true
expect_stderr_contains 'Permission denied'
mkdir -m 755 closed
: >closed/x
expect_code 0 as_nobody "$HOLDFAST" lock -n ./closed/x true
expect_code 125 as_nobody "$HOLDFAST" lock -n ./closed/y true
mkdir -m 711 dark
: >dark/x
expect_code 0 as_nobody "$HOLDFAST" lock -n ./dark/x true

# Links: of another user in a shared directory, and of one's own.
as_nobody ln -s "$PWD/victim" shared/planted
expect_code 77 "$HOLDFAST" lock -n ./shared/planted true
expect_stderr_contains 'another user'
expect_code 77 "$HOLDFAST" locks ./shared/planted
[ ! -e victim ] || fail 'the planted link was followed'
ln -s "$PWD/mine" shared/own
expect_code 0 "$HOLDFAST" lock -n ./shared/own true
[ -f mine ] || fail 'an own link was not followed'
