#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# How long a start takes: scripts call holdfast many times, so it must start faster than the tool that it
# replaces. Target: `holdfast --version` at most 0.75 of `flock --version`.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

strip -o "$work/holdfast" "$HOLDFAST"  # as it ships
# As it is after a reboot: a file that was just written lies in the page cache in large pieces, of which newer
# kernels map each by one page fault; one that was read does not.
cp "$work/holdfast" "$work/read"
dd of="$work/read" oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null
cc -O2 -Wall -Wextra -o "$work/interleave" interleave.c
echo 'int main(void) { return 0; }' >"$work/empty.c"
cc -O2 -static -o "$work/empty" "$work/empty.c"

# flock reads the locale that it is told to use, so both are shown: a user's shell has a UTF-8 locale (the
# target is for this one), cron has none.
for locale in C.UTF-8 C; do
  echo "LC_ALL=$locale"
  LC_ALL=$locale "$work/interleave" "${ROUNDS:-1000}" \
    'flock --version' flock --version ::: \
    'holdfast --version' "$work/holdfast" --version ::: \
    'the same, read from disk' "$work/read" --version ::: \
    'empty static program' "$work/empty" ::: \
    'true' true
done
