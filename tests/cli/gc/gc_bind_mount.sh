#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A bind mount of a part of a session's directory, or of the home, does not hide whose it is: no session is made in it,
# and one that is there already keeps what it lies in from being collected.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

if [ -z "${HF_IN_NAMESPACE-}" ]; then
  unshare -m true 2>/dev/null || skip 'no mount namespace can be made'
  HF_IN_NAMESPACE=1 unshare -m sh "$0"
  exit
fi

mkdir alias
new web --dir "$PWD/web"
mkdir -p web/deep/part
mount --bind web/deep/part alias
expect_code 77 "$HOLDFAST" workspace new inner --dir "$PWD/alias/inner"
expect_stderr_contains "lies in the directory of 'web'"
umount alias

new plain
mount --bind "$sessions/plain" alias
expect_code 77 "$HOLDFAST" workspace new inner --dir "$PWD/alias/inner"
expect_stderr_contains 'it lies in another home'
umount alias

# The mount was there first, and over two of them.
mkdir -p old/deep/part alias2
mount --bind old/deep/part alias
mkdir alias/more
mount --bind alias/more alias2
new inner --dir "$PWD/alias2/inner"
echo work >alias2/inner/file
expect_code 0 gc --adopt-dir "$PWD" --pattern old --max-age 0s --allow-all --json
expect_reason failed old holds-another-workspace
[ "$(cat alias2/inner/file)" = work ] || fail 'the files of a live session went'
[ -d old/deep/part/more ] || fail 'what a live session lies in went'
umount alias2 alias
# A directory that nobody has is adopted by the same call.
mkdir free
expect_code 0 gc --adopt-dir "$PWD" --pattern free --max-age 0s --allow-all --json
expect_json '.adopted | join(" ")' free

# A mount of something beside them is nobody's.
mkdir beside
mount --bind beside alias
new other --dir "$PWD/alias/other"
umount alias
