#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# "Unlink the sidecar when it is older than 30 s" lets two in at once, as flock never touches a file's time. What it was
# meant for: a deadline for an edit that hangs, a lease for a holder that is stopped, and --presume-dead for a holder
# that is not ours and never lets go.
# label: system
. "$(dirname -- "$0")/../lib/lock_command.inc"
. "$(dirname -- "$0")/claude_md.inc"
old_sidecar() { touch -d '1 hour ago' "$CLAUDE_PROJECT_DIR/.CLAUDE.md.lock"; }
stage first
stage second

# ---- by hand: the holder is alive and has had the lock for a moment; the file is from an hour ago
project by-hand
old_sidecar
export CLAUDE_MD_WAIT=3600 CLAUDE_MD_TTL=30
begin pin "$naive" 'never rebase' first
one=$pid
arrived first
begin session "$naive" second
two=$pid
arrived second # without waiting: both are in
go_on first
ended "$one"
has "$file" '- never rebase'
go_on second
ended "$two"
[ "$code" -eq 0 ] || fail "the second: $code"
lacks "$file" '- never rebase'

# ---- with holdfast: an old file says nothing
project held
old_sidecar
export CLAUDE_MD_WAIT=200ms CLAUDE_MD_TTL=30s
begin pin "$ours" 'never rebase' first
one=$pid
arrived first
old_sidecar
expect_code 75 "$HOLDFAST" lock -n --file "$file" --presume-dead 1s --on-expired replace -- touch in
[ ! -e in ] || fail 'two are in'
expect_code 0 session "$ours" # it may go on without the lock: that is on record, and it is not a second holder
expect_stderr_contains 'WITHOUT the lock'
go_on first
ended "$one"
[ "$code" -eq 0 ] || fail "the first: $code, $(cat "$scratch/begun")"
has "$file" '- never rebase'
has "$file" 'claude --resume s-1'
[ "$(events lock.fail_open) $(events lock.taken)" = '1 0' ] || fail 'not one fail-open and no taking'

# An edit that hangs is ended within the hook's budget, the host is told to block, and the lock is free.
hook_ended() { "$HOLDFAST" journal query --type hook.ended --last 1 --json | jq -r '"\(.data.code) \(.data.status) \(.data.by)"'; }
CLAUDE_MD_BUDGET=2s
export CLAUDE_MD_BUDGET
expect_code 2 timeout -s KILL 30 env HOOK_PAUSE=first "$ours/${PIN:-add_pin.sh}" 'hangs'
unset CLAUDE_MD_BUDGET
[ "$(hook_ended)" = '124 2 holdfast' ] || fail "it ended as: $(hook_ended)"
expect_code 0 "$HOLDFAST" lock -n --file "$file" -- true
lacks "$file" '- hangs'

# A holder that is stopped, past its lease: the next one gets the lock, and the late edit is refused.
export CLAUDE_MD_WAIT=20s CLAUDE_MD_TTL=1s
begin env HOOK_PAUSE=first "$ours/${PIN:-add_pin.sh}" 'late'
holder=$pid # the hook has become `holdfast lock`
arrived first
stop_holder
expect_code 0 session "$ours"
[ "$(events lock.taken)" -eq 1 ] || fail 'the taking is not on record'
cp "$file" before
go_on first
wait_until sh -c '[ "$("$HOLDFAST" journal count --type block.refused)" -gt 0 ] ||
  [ "$("$HOLDFAST" journal count --type file.refused)" -gt 0 ]'
cmp "$file" before || fail 'the late edit was made'
kill -CONT "$holder"
ended "$holder"
[ "$code $(hook_ended)" = '2 76 2 holdfast' ] || fail "the late one: $code, $(hook_ended), $(cat "$scratch/begun")"
lacks "$file" '- late'

# A holder that is not ours and never lets go: the hooks go on without the lock, on record, until it was seen for the
# ttl; then the lock is taken from it, on record. First a program that took it itself, then a hook in shell, as the naive
# one takes it (`exec 9>>file; flock 9`): there the kernel names a flock that has ended, and the shell is the heir.
export CLAUDE_MD_TTL=1s
for holder in program shell; do
  project "of-a-$holder"
  case $holder in
    program)
      foreign attacker
      at=attacker ;;
    shell)
      begin env HOOK_PAUSE=first CLAUDE_MD_WAIT=3600 "$naive/add_pin.sh" 'hangs'
      arrived first
      at=first ;;
  esac
  attacker=$pid
  opened=$(events lock.fail_open)
  taken=$(events lock.taken)
  old_sidecar
  expect_code 75 "$HOLDFAST" lock -n --file "$file" --presume-dead 1s -- touch in
  [ ! -e in ] || fail 'presumed dead by the time of a file'
  CLAUDE_MD_WAIT=200ms
  number=0
  until [ "$(events lock.taken)" -gt "$taken" ]; do
    number=$((number + 1))
    [ "$number" -le 20 ] || fail "it was never taken from a $holder"
    expect_code 0 pin "$ours" "$number"
  done
  [ "$(events lock.fail_open)" -eq $((opened + number - 1)) ] || fail 'not each fail-open is on record'
  "$HOLDFAST" journal query --type lock.taken --last 1 --json >taken
  [ "$(jq -r '"\(.data.evidence) \(.data.holder.pid)"' taken)" = "presumed-dead $attacker" ] ||
    fail "not of $attacker: $(cat taken)"
  expect_code 0 pin "$ours" 'after'
  expect_no_stderr
  [ "$(events lock.fail_open)" -eq $((opened + number - 1)) ] || fail 'the lock was not had'
  expect_code 0 "$HOLDFAST" block get "$file" --id pins
  [ "$(wc -l <"$stdout")" -eq $((number + 1)) ] || fail 'a pin was lost'
  go_on "$at"
  ended "$attacker"
done
