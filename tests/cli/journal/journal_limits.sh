#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The limits of a record: data of 8 MiB, nested 64 deep, a type of 64 characters; beyond them nothing is recorded. A file
# of data and an anchor must be regular files: a link or a FIFO is 77, and nobody hangs in opening one.
. "$(dirname -- "$0")/../../lib/lib.sh"

append() { "$HOLDFAST" journal append "$@"; }
nested() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "{\"a\":"; printf 1; for (i = 0; i < n; i++) printf "}" }'; }
text() { printf '{"a":"%s"}' "$(head -c "$1" /dev/zero | tr '\0' x)"; }
expect_code 0 append --type x.deep --data "$(nested 64)"
expect_code 65 append --type x.deep --data "$(nested 65)"
type=x.$(printf '%062d' 0 | tr 0 a)
expect_code 0 append --type "$type" --data '{}'
expect_code 64 append --type "${type}a" --data '{}'
text 8388600 >fits
text 8388601 >large
expect_code 0 append --type x.large --data @fits
expect_code 77 append --type x.large --data @large
ln -s fits link
mkfifo fifo
for file in link fifo; do
  expect_code 77 append --type x.large --data "@$file"
  expect_code 77 "$HOLDFAST" journal verify --anchor "$file"
done
[ "$("$HOLDFAST" journal count --type 'x.*')" -eq 3 ] || fail 'not three records'
expect_code 0 "$HOLDFAST" journal verify
