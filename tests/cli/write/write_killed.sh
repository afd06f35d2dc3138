#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SIGKILL in the middle of a slow command: the old file stays, no temporary file is left where the file system
# has unnamed ones, and the command is ended too.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: "${HF_TEST_CHILD:?}"

printf old >f
mkfifo ../began
for kind in sleep-forever 'stay setsid-child sleep-forever' 'stay daemon sleep-forever'; do
  "$HOLDFAST" write f -- sh -c "echo half; echo \$\$ >../began; exec $HF_TEST_CHILD $kind" >"$stdout" 2>"$stderr" &
  holdfast=$!
  read -r producer <../began
  kill -0 "$producer" || fail 'the command did not stay'
  kill -9 "$holdfast"
  wait "$holdfast" || :
  wait_until_gone "$producer"
  expect_file f old
  # Only where there is no O_TMPFILE a name is needed, and may stay.
  [ "$(ls -A)" = f ] || case $(ls -A) in .hf-stage-*) ;; *) fail "left: $(ls -A)" ;; esac
  rm -f .hf-stage-*
done
expect_code 0 write f -- printf new
expect_file f new
