#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A user who may only read a directory cannot delay its writers: neither by holding a flock on the directory, nor on the
# lock file of a file in it, not even on one that another program made readable, once holdfast has seen it.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can become another user'
command -v setpriv >/dev/null || skip 'setpriv(1) is not installed'
command -v flock >/dev/null || skip 'flock(1) is not installed'
chmod 0755 "$scratch" .
mkdir d
printf 'old\n' >d/f
printf '[[path]]\npath = "d/made"\ntype = "file"\nmode = "0644"\n' >paths.toml
chmod 0644 d/f

mkfifo held go
chmod 0666 held go
trap 'kill "$holder" 2>/dev/null || :; remove_scratch' EXIT

changes() {
  expect_code 0 write d/f --wait 0s -- printf 'new\n'
  expect_code 0 update d/f --wait 0s -- cat
  printf 'block\n' | expect_code 0 "$HOLDFAST" block put d/f --id a --wait 0s
  expect_code 0 "$HOLDFAST" ledger append d/h.json --wait 0s --data '{}'
  expect_code 0 "$HOLDFAST" ensure paths.toml --wait 0s
  rm -f d/made
}

setpriv --reuid 4711 --regid 4711 --clear-groups sh -c 'exec flock d sh -c "echo held >held; read -r _ <go"' &
holder=$!
read -r _ <held
changes
echo >go
wait "$holder" || :

# holdfast's own lock file cannot be opened by her; one that flock(1) made can, until holdfast uses it.
"$HOLDFAST" lock --file d/f -- true
[ "$(mode_of d/.f.lock)" = 600 ] || fail "the mode is $(mode_of d/.f.lock)"
rm d/.f.lock d/.f.hold
(umask 022 && flock d/.f.lock true)
[ "$(mode_of d/.f.lock)" = 644 ] || fail "the mode is $(mode_of d/.f.lock)"
expect_code 0 write d/f -- printf 'seen\n'
expect_mode d/.f.lock 600
code=0
setpriv --reuid 4711 --regid 4711 --clear-groups flock -n d/.f.lock true 2>/dev/null || code=$?
[ "$code" -ne 0 ] || fail 'she can hold it'
changes
