#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file that something is mounted on is refused by name; --in-place writes into it, and so does who looks at it
# from the other side.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
: "${HF_TEST_CHILD:?}"

printf old >source
printf under >f
mount --bind source f 2>/dev/null || skip 'bind mounts are not allowed here'
trap 'umount "$scratch/work/f" || :; remove_scratch' EXIT
expect_code 77 write f --json -- sh -c 'touch was_run; printf new'
expect_cause is-mount-point
case $(json_field .error.detail) in *--in-place*) ;; *) fail 'it does not say what to do' ;; esac
expect_code 77 update f -- tr a-z A-Z
expect_code 77 write f --backup 1 -- printf new
# A kernel that does not tell it beforehand refuses the exchange.
expect_code 77 "$HF_TEST_CHILD" deny statx -- "$HOLDFAST" write f --json -- printf new
expect_cause is-mount-point
expect_code 77 "$HF_TEST_CHILD" deny statx,renameat2 -- "$HOLDFAST" write f --json -- printf new
expect_cause is-mount-point
expect_file source old
[ ! -e was_run ] || fail 'the command was run although it could not be used'
expect_only f source
expect_code 0 write f --in-place -- printf 'in place'
expect_file source 'in place'
expect_code 0 update f --in-place -- tr a-z A-Z
expect_file source 'IN PLACE'
expect_code 0 write f --in-place --backup 1 -- printf short
expect_file source short
expect_file "$(ls f.bak-*)" 'IN PLACE'
expect_code 66 write fresh --in-place -- printf x
