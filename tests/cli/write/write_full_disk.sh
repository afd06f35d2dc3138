#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With k pages left on the disk, for every k up to more than enough: the old file byte for byte and 74, or the
# new one whole and 0; nothing else is left. So it is, too, where the command does not care whether it could write.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs -o size=256k,mode=755 none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'cd /; umount "$scratch/work/small" || :; remove_scratch' EXIT
cd small

head -c 10000 /dev/zero | tr '\0' o >../old
head -c 20000 /dev/zero | tr '\0' n >../new
attempts() {
  case $1 in
    command) write f -- cat ../new ;;
    careless) write f -- sh -c 'cat ../new || :' ;;
    file) write f --from ../new ;;
    filter) update f -- tr o n ;;
    backup) write f --backup 1 --from ../new ;;
    in_place) write f --in-place --from ../new ;;
    fresh) write g --from ../new ;;
  esac
}
for way in command careless file filter backup in_place fresh; do
  full=0 whole=0 left=0
  while [ "$left" -lt 20 ]; do
    rm -rf ./* ./.f.hold ./.f.lock
    cp ../old f
    head -c 256K /dev/zero >fill 2>/dev/null || :
    truncate -s -$((left * 4096)) fill
    code=0
    attempts "$way" >"$stdout" 2>"$stderr" || code=$?
    want=../new got=f
    [ "$way" != filter ] || { tr o n <../old >../filtered && want=../filtered; }
    [ "$way" != fresh ] || got=g
    case $code in
      0)
        whole=$((whole + 1))
        cmp -s "$want" "$got" || fail "$way, $left pages: 0, but not the new content"
        ;;
      74)
        full=$((full + 1))
        cmp -s ../old f || fail "$way, $left pages: the old file is damaged"
        [ ! -e g ] || fail "$way, $left pages: a fresh file of $(stat -c %s g) bytes"
        expect_stderr_contains 'No space left on device'
        ;;
      *) fail "$way, $left pages: exit code $code" ;;
    esac
    rest=$(find . -type f ! -name f ! -name g ! -name fill ! -name .f.hold ! -name .f.lock ! -name 'f.bak-*')
    [ -z "$rest" ] || fail "$way, $left pages: left behind: $rest"
    [ "$code" -eq 0 ] || [ "$(find . -name 'f.bak-*' | wc -l)" -eq 0 ] || fail "$way, $left pages: half a backup"
    left=$((left + 1))
  done
  [ "$full" -gt 0 ] || fail "$way: the disk was never full"
  [ "$whole" -gt 0 ] || fail "$way: there was never enough space"
done
