#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What says what is run (a profile, a loop, a manifest, a layer plan) is believed only if no other user could have
# written it: in a directory and a file of this user or root that nobody else may write, but for a private group.
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can give files away'

printf '[session.agent]\ncommand = "echo ran"\n' >holdfast.toml
printf '[loop]\nname = "l"\nsource = "true"\nrun = ["true"]\nverify = "true"\n' >loop.toml
printf '[[path]]\npath = "made"\ntype = "dir"\nmode = "0755"\n' >paths.toml
printf '[[layer]]\nname = "one"\nargs = ["x"]\n' >layers.toml
chmod 0644 -- *.toml
expect_code 0 "$HOLDFAST" profile check holdfast.toml
expect_code 0 "$HOLDFAST" loop loop.toml --dry-run
expect_code 0 "$HOLDFAST" loop pause loop.toml
expect_code 0 "$HOLDFAST" layers layers.toml

# each CODE [OPTION]: every reader answers so.
each() {
  code=$1 && shift
  for reader in 'run --profile agent' 'run --profile ./holdfast.toml' 'profile check holdfast.toml' \
    'loop loop.toml --dry-run' 'loop status loop.toml' 'loop pause loop.toml' 'loop resume loop.toml' \
    'loop retry loop.toml 1' 'loop done loop.toml 1' 'layers layers.toml' 'ensure paths.toml --check'; do
    actual=0
    # shellcheck disable=SC2086 # words
    "$HOLDFAST" $reader "$@" >"$stdout" 2>"$stderr" </dev/null || actual=$?
    case $code in
      77) [ "$actual" -eq 77 ] || fail "$reader: $actual, not 77"; expect_stderr_contains "$says" ;;
      *) [ "$actual" -ne 77 ] || fail "$reader $*: 77" ;;
    esac
  done
}

# The file: somebody else's, or written by a group that others are in.
says='it belongs to another user (owner 4711:'
chown 4711 -- *.toml
each 77
each ok --trust-dir
chown 0 -- *.toml
says='chmod g-w'
chgrp 1 -- *.toml
chmod 0664 -- *.toml
each 77
each ok --trust-dir
chgrp 0 -- *.toml
each ok
chmod 0644 -- *.toml

# The directory.
says='belongs to another user, who can swap what is in it'
chown 4711 .
each 77
each ok --trust-dir
chown 0 .
says='chmod o-w'
chmod 0757 .
each 77
chmod 0755 .
each ok

# A directory of others is no obstacle if there is nothing to believe in it.
mkdir -p "$HOME/.config/holdfast" others
cp holdfast.toml "$HOME/.config/holdfast/config.toml"
chmod 0777 others
cd others
expect_code 0 "$HOLDFAST" run --profile agent
expect_stdout_is ran

# What a profile names is asked the same.
cd ..
mkdir theirs
cp layers.toml paths.toml theirs
for named in 'layers = "theirs/layers.toml"' 'ensure = "theirs/paths.toml"'; do
  printf '[session.agent]\ncommand = ["echo", "{layers}"]\n%s\n' "$named" >named.toml
  [ "${named%%=*}" = 'layers ' ] || sed -i 's/"{layers}"/"ran"/' named.toml
  chown 0 theirs
  expect_code 0 "$HOLDFAST" profile check named.toml
  chown 4711 theirs
  expect_code 77 "$HOLDFAST" profile check named.toml
  expect_code 77 "$HOLDFAST" run --profile ./named.toml
  expect_stderr_contains 'belongs to another user'
  expect_code 0 "$HOLDFAST" profile check --trust-dir named.toml
done
