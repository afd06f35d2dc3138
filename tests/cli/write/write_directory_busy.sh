#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who waits in vain for the directory's lock is told who holds it, and where that cannot be seen, at least that
# somebody does.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v flock >/dev/null || skip 'flock(1) is not installed'

printf old >f
mkfifo ../held ../release
flock --no-fork .hf-stage-lock sh -c 'echo >../held; read -r _ <../release' >/dev/null 2>&1 &
holder=$!
trap 'kill "$holder" 2>/dev/null || :; remove_scratch' EXIT
read -r _ <../held
expect_code 75 write f --wait 0s -- printf new
expect_stderr_contains "process $holder holds it"
# In a pid namespace of its own the kernel's list does not show the holder.
if unshare -Urpf --mount-proc true 2>/dev/null; then
  expect_code 75 unshare -Urpf --mount-proc "$HOLDFAST" write f --wait 0s -- printf new
  expect_stderr_contains 'another process holds it'
fi
echo >../release
wait "$holder"
expect_file f old
expect_code 0 write f --wait 0s -- printf new
