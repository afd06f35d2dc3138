#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --fcntl, --start and --length, as in util-linux 2.41: locks of bytes by the open file description, which exclude what
# programs lock there by fcntl(2), in both directions, and no user of flock(2).
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v python3 >/dev/null || skip 'there is no python3 to lock bytes with'
flock() { "$HOLDFAST" flock "$@"; }

# bytes START LENGTH [s]: does fcntl(2) give python these bytes of f at once? `yes` or `no`.
bytes() {
  python3 - "$@" <<'P'
import fcntl, sys
file = open("f", "r+")
kind = fcntl.LOCK_SH if sys.argv[3:] else fcntl.LOCK_EX
try:
    fcntl.lockf(file, kind | fcntl.LOCK_NB, int(sys.argv[2]), int(sys.argv[1]))
    print("yes")
except BlockingIOError:
    print("no")
P
}
# hold COMMAND…: in the background, until let_go.
hold() {
  mkfifo held go
  "$@" sh -c 'echo >held; read -r _ <go || :' &
  holder=$!
  read -r _ <held
  exec 8>go
}
let_go() {
  exec 8>&-
  wait "$holder" || :
  rm held go
}
free() { [ "$(bytes "$@")" = yes ] || fail "not free for fcntl: $*"; }
taken() { [ "$(bytes "$@")" = no ] || fail "free for fcntl: $*"; }

expect_code 5 flock --fcntl f sh -c 'exit 5'
[ -f f ] || fail 'not made'
[ ! -s f ] || fail 'written'

hold flock --fcntl f
taken 0 1
taken 1000000 0
taken 0 1 s
expect_code 1 flock --fcntl -n f true
expect_code 7 flock --fcntl -w 0.1 -E 7 f true
expect_code 0 flock -n f true
let_go
free 0 0

hold flock --start 10 --length 5 f
free 0 10
taken 14 1
free 15 0
expect_code 1 flock -n --start 14 f true
expect_code 0 flock -n --start 15 f true
expect_code 0 flock -n --length 10 f true
expect_code 1 flock -n --length 11 f true
let_go

hold flock -s --start 1KiB f
taken 1024 1
free 1024 1 s
free 0 1024
expect_code 0 flock -n -s --fcntl f true
expect_code 1 flock -n --start 1K f true
expect_code 0 flock -n --start 0 --length 1KB f true
expect_code 1 flock -n --length 0x401 f true
let_go

# The other direction.
mkfifo held go
python3 -c 'import fcntl
file = open("f", "r+"); fcntl.lockf(file, fcntl.LOCK_EX, 5, 10); open("held", "w").write("\n"); open("go").read()' &
holder=$!
read -r _ <held
exec 8>go
expect_code 1 flock -n --fcntl f true
expect_code 1 flock -n -s --start 14 --length 1 f true
expect_code 0 flock -n --start 15 f true
expect_code 0 flock -n --length 10 f true
expect_code 0 flock -n f true
let_go
expect_code 0 flock -n --fcntl f true

# A descriptor: it must be open for writing, and keeps the lock until it goes.
exec 9<>f
expect_code 0 flock --fcntl 9
taken 0 1
expect_code 0 flock --fcntl -u 9
free 0 1
exec 9<f
expect_code 65 flock --fcntl 9
expect_code 0 flock --fcntl -s 9
exec 9>&-
mkdir d
expect_code 65 flock --fcntl d true
expect_code 0 flock --fcntl -s d true

for bad in -1 x '' 1Q 1.5 1KiX 99999999999999999999; do
  expect_code 64 flock --start "$bad" f true
  expect_code 64 flock --length "$bad" f true
done
expect_code 64 flock --start
expect_code 65 flock --start 9223372036854775808 f true
expect_code 65 flock --start 9223372036854775807 --length 2 f true
expect_code 0 flock --help
expect_stdout_contains '--length NUMBER'
