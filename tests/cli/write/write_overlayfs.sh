#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On overlayfs, as containers have it, a file of the lower layer is replaced whole, with its mode and attributes.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'

mkdir base
mount -t tmpfs -o size=8m none base 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'cd /; umount "$scratch/work/base/merged" 2>/dev/null || :; umount "$scratch/work/base" || :; remove_scratch' EXIT
mkdir base/lower base/upper base/work base/merged
printf lower >base/lower/f
printf lower >base/lower/g
chmod 0640 base/lower/f
mount -t overlay none -o lowerdir=base/lower,upperdir=base/upper,workdir=base/work base/merged 2>/dev/null ||
  skip 'overlayfs is not available here'
cd base/merged
expect_code 65 write f -- false
expect_file f lower
expect_code 0 write f --backup 1 -- printf new
expect_file f new
expect_mode f 640
expect_file f.bak-* lower
expect_code 0 update f -- tr a-z A-Z
expect_file f NEW
expect_code 0 write fresh --mode 600 -- printf x
expect_code 0 write g --in-place -- printf 'in place'
expect_file g 'in place'
expect_file ../lower/f lower
expect_file ../lower/g lower
rm f.bak-* .f.hold .f.lock
expect_only f fresh g
