#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Somebody renames a version of his own over the file, without any lock, while the filter runs: the filter runs
# again on that version. Whatever is displaced has been read.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# The filter plays the editor itself, so that the change comes at exactly the wrong time, three times over.
# shellcheck disable=SC2016 # the script's own variables
edit='cat; n=$(cat ../left); if [ "$n" -gt 0 ]; then
  echo $((n - 1)) >../left; { cat f; echo "editor $n"; } >../copy; mv ../copy f; fi; echo mine'
echo 3 >../left
echo start >f
expect_code 0 update f --json -- sh -c "$edit"
expect_json .tries 4
expect_file f 'start
editor 3
editor 2
editor 1
mine
'
# One who never stops is told of, not overwritten.
echo 1000 >../left
expect_code 75 update f --json -- sh -c "$edit"
expect_cause changed-meanwhile
[ "$(tail -n 1 f)" = "editor $(($(cat ../left) + 1))" ] || fail "lost: $(tail -n 1 f)"
# Changes of the mode, and in place, are changes too.
echo 0 >../left
chmod 0600 f
expect_code 0 update f --json -- sh -c 'cat; [ -e ../once ] || { touch ../once; chmod 0640 f; }; echo more'
expect_json .tries 2
expect_mode f 640
expect_code 0 update f --json -- sh -c 'cat; [ -e ../twice ] || { touch ../twice; echo appended >>f; }; echo last'
expect_json .tries 2
[ "$(tail -n 2 f | tr '\n' ' ')" = 'appended last ' ] || fail "$(tail -n 2 f)"
expect_only .f.hold .f.lock f
