#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The power fails while a step runs: after the next boot nobody can tell what it did, so it is never taken for one that
# did not start. The disk is the real one: an image that is copied in the middle of the act, with nothing written out.
# label: system
. "$(dirname -- "$0")/../cli/own_mounts.inc"
. "$(dirname -- "$0")/../cli/step.inc"
. "$(dirname -- "$0")/../cli/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
command -v mkfs.ext4 >/dev/null || skip 'mkfs.ext4 is missing'
[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip 'in a container no boot is proven'

trap 'umount disk 2>/dev/null || :; remove_scratch' EXIT
mkdir disk
truncate -s 64M image
# The journal of the file system is not written out by itself before the copy is made.
mkfs.ext4 -q image
mount -o loop,commit=300 image disk 2>/dev/null || skip 'loop devices are not available here'
export HOLDFAST_HOME="$PWD/disk/home"
make_gate
"$HOLDFAST" once act -- ./gated >/dev/null 2>&1 &
step=$!
wait_up
cp image cut
open_gate 0
wait "$step"
umount disk
mount -o loop cut disk
before='"00112233445566778899aabbccddeeff"'
change "$(step_file once act)" ".pending.by.boot = $before | .pending.since.boot = $before"
change "$(step_session once act)" ".supervisor.boot = $before | if .command then .command.boot = $before else . end"

expect_code 0 "$HOLDFAST" show once:act --json
expect_json .state lost
expect_code 0 "$HOLDFAST" once show act --json
expect_json .state unsure
# Whoever has somebody to ask asks first: it was done, so it is not done again.
expect_code 0 "$HOLDFAST" once act --verify 'test -e ran' --json -- ./gated
expect_runs 1
umount disk
