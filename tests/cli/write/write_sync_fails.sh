#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A sync of the content that fails (EIO) leaves the old file and is 74; one of the directory, after the new file
# has its name, is 73 and says that a power cut may undo it. `--durability none` syncs nothing.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

# The journal syncs nothing for an event of this class; it would be in the way of the counting.
faulty() {
  which=$1
  shift
  strace -qq -o ../trace -e trace=fsync,fdatasync,sync_file_range -e inject=fsync,fdatasync:error=EIO:when="$which" "$HOLDFAST" "$@"
}
printf new >new
attempt() {
  printf old >f
  code=0
  faulty "$@" >"$stdout" 2>"$stderr" || code=$?
}
attempt 1 write f --from new
[ "$code" -eq 74 ] || fail "exit code $code"
expect_file f old
expect_stderr_contains 'Input/output error'
attempt 2 write f --json --from new
[ "$code" -eq 73 ] || fail "exit code $code"
expect_json '"\(.committed) \(.durable)"' 'true false'
expect_file f new
# No stamp says that all is well then.
# The first update of a file syncs the marks of its fence too, which are not what is counted here.
expect_code 0 update f -- cat new
for command in "write f --from new" "update f -- cat new"; do
  # shellcheck disable=SC2086 # words
  attempt 2 ${command%% --*} --json --stamp ../stamp --${command#* --}
  [ "$code" -eq 73 ] || fail "$command: exit code $code"
  [ "$(json_field .error.cause)" != stamp-failed ] || fail "$command: it is the stamp that failed"
  expect_file f new
  [ ! -e ../stamp ] || fail "$command: a stamp of what a power cut may undo"
done
rm -f .f.hold .f.lock
attempt 2 write f --durability data --from new
[ "$code" -eq 0 ] || fail "exit code $code"
attempt 1 write f --durability none --from new
[ "$code" -eq 0 ] || fail "exit code $code"
! grep -q EIO ../trace || fail 'it synced although nobody asked for it'
# In place, every one of them: the old content, or the new one and 0.
n=1
while :; do
  attempt "$n" write f --in-place --from new
  case $code in
    74) expect_file f old ;;
    0 | 73) expect_file f new ;;
    *) fail "in place, sync $n: exit code $code" ;;
  esac
  [ "$(ls -A)" = "$(printf 'f\nnew')" ] || fail "in place, sync $n: $(ls -A)"
  grep -q EIO ../trace || break
  n=$((n + 1))
done
[ "$n" -gt 3 ] || fail "only $n syncs in place"
