#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that takes `.NAME.lock` with flock(1), reads the file, waits, and writes it back loses nothing that holdfast
# put there meanwhile: a block, an entry, or a whole new content that came from a slow producer. A file that is reached
# through a link has two names that may be locked, and both count for all that change it, for none that only looks.
. "$(dirname -- "$0")/../lib/write.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
command -v flock >/dev/null || skip 'flock(1) is not installed'

mkfifo held go
# holder LOCK FILE: reads FILE under LOCK, and adds its own line when it is told to go on.
holder() {
  # shellcheck disable=SC2016 # for the inner shell
  flock "$1" timeout 60 sh -c 'old=$(cat "$1"); echo >held; read -r _ <go; printf "%s\n{\"holder\":1}\n" "$old" >"$1"' holder "$2" &
  holder=$!
  read -r _ <held
}
# behind FILE CMD…: is started while the holder thinks, waits, and succeeds once the holder is done.
behind() {
  file=$1 && shift
  "$@" >out 2>&1 &
  change=$!
  until "$HOLDFAST" locks --file "$file" --json 2>/dev/null | grep -q "\"waiters\":\[{\"pid\":$change"; do
    kill -0 "$change" 2>/dev/null && continue
    echo >go
    fail "did not wait: $* ($(cat out))"
  done
  echo >go
  wait "$holder" || fail 'the holder failed'
  wait "$change" || fail "failed: $* ($(cat out))"
}
printf 'text\n' >f
printf 'inside\n' >from
holder .f.lock f
behind f "$HOLDFAST" block put f --id x --style hash --from from --wait 60s
grep -q inside f || fail "the block is lost: $(cat f)"
grep -q holder f || fail "the holder's line is lost: $(cat f)"

printf '{"a":1}\n' >l.jsonl
holder .l.jsonl.lock l.jsonl
behind l.jsonl "$HOLDFAST" ledger append l.jsonl -d '{"b":2}' --wait 60s
grep -q '"b":2' l.jsonl || fail "the entry is lost: $(cat l.jsonl)"

mkdir real && printf 'text\n' >real/f && ln -s real/f link
for lock in real/.f.lock .link.lock; do
  : >"$lock"
  expect_code 75 flock "$lock" "$HOLDFAST" write link --links follow --wait 50ms --json -- printf "new $lock"
  expect_cause file-busy
done
expect_code 0 write link --links follow -- printf new
expect_file real/f new
# So do the others, in whichever directory the two names lie: block, ledger, update, and ensure where it pins a mode.
printf '{}\n' >real/l.jsonl && ln -s real/l.jsonl l && chmod 600 real/f real/l.jsonl
for lock in real/.f.lock .link.lock real/.l.jsonl.lock .l.lock; do
  : >"$lock"
  case $lock in
  *link* | *.f.*)
    expect_code 75 flock "$lock" "$HOLDFAST" block put link --id x --style hash --from from --links follow --wait 50ms --json
    expect_cause file-busy
    expect_code 75 flock "$lock" "$HOLDFAST" update link --links follow --wait 50ms --json -- cat
    expect_cause file-busy
    name='link'
    ;;
  *)
    expect_code 75 flock "$lock" "$HOLDFAST" ledger append l -d '{}' --links follow --wait 50ms --json
    expect_cause file-busy
    name=l
    ;;
  esac
  expect_code 75 flock "$lock" "$HOLDFAST" ensure --file "$name" --mode 0640 --pin --links follow --wait 50ms --json
  expect_cause file-busy
done
expect_mode real/f 600
# What only looks waits for nobody: it sees the whole old or the whole new file.
for lock in real/.f.lock .link.lock; do
  expect_code 66 flock "$lock" "$HOLDFAST" block get link --id x --style hash --links follow
  expect_code 0 flock "$lock" "$HOLDFAST" block check link --style hash --links follow
  expect_code 66 flock "$lock" "$HOLDFAST" ensure --file link --mode 0640 --links follow --check
done
expect_code 0 flock .l.lock "$HOLDFAST" ledger check l --links follow
expect_code 0 "$HOLDFAST" ensure --file link --mode 0640 --pin --links follow
expect_mode real/f 640
# The producer does not run under the lock: it may take it, and others may while it works.
expect_code 0 write f --wait 10s -- flock -n .f.lock echo produced
expect_file f 'produced
'
