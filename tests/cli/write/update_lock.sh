#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `update` waits for the lock of the file, which any program can hold by flock(1), for --wait, and then names the
# holder (75); a planted lock file is refused.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v flock >/dev/null || skip 'flock(1) is not installed'

printf old >f
expect_code 75 flock .f.lock "$HOLDFAST" update f --wait 100ms --json -- printf new
expect_cause file-busy
case $(json_field .error.detail) in *"pid "*) ;; *) fail 'the holder is not named' ;; esac
expect_file f old
# So does a write, and the lock of the directory, which every change takes after it, is bounded too.
expect_code 75 flock .f.lock "$HOLDFAST" write f --wait 100ms --json -- printf new
expect_cause file-busy
expect_code 0 write f -- printf new
expect_code 75 flock .hf-stage-lock "$HOLDFAST" write f --wait 100ms --json -- printf newer
expect_cause directory-busy
expect_file f new
# Who waits long enough gets it, and finds what the holder wrote.
mkfifo held
flock .f.lock sh -c 'echo >held; printf "from the holder" >tmp; mv tmp f' &
read -r _ <held
expect_code 0 update f --wait 60s -- tr a-z A-Z
wait
expect_file f 'FROM THE HOLDER'
rm .f.lock
ln -s f .f.lock
expect_code 77 update f --json -- printf x
expect_cause is-link
rm .f.lock
mkfifo .f.lock
expect_code 77 timeout 30 "$HOLDFAST" update f -- printf x
expect_file f 'FROM THE HOLDER'
