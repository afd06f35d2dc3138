#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The policy of the hooks (locked.py) on holdfast.exe, under Wine: the lock is had if it is free; if somebody else has it
# for too long the edit is made without it, on record, and no block is lost; a silent holder of ours is replaced and its late
# edit refused; an orphan marker is refused with 2. The edits are lines for cmd.exe: a Python for Windows is not part of
# the tests. HOLDFAST_WINDOWS is a program that runs holdfast.exe.
# label: system
. "$(dirname -- "$0")/claude_md.inc"
[ -n "${HOLDFAST_WINDOWS-}" ] || skip 'HOLDFAST_WINDOWS does not name a program that runs holdfast.exe'
HOLDFAST=$HOLDFAST_WINDOWS
HOLDFAST_HOME=Z:$scratch/home
exe=Z:$(printf '%s' "${HOLDFAST_EXE:?}" | tr / "\\\\")

windows_project() {
  project "$1"
  CLAUDE_PROJECT_DIR=Z:$CLAUDE_PROJECT_DIR
}
# edit NAME TEXT [BEFORE]: edit-NAME.cmd puts TEXT into the block NAME, after BEFORE.
edit() {
  {
    echo '@echo off'
    [ -z "${3-}" ] || printf '%s\n' "$3"
    echo "echo $2>text-$1"
    printf '"%s" ' "$exe"
    echo "block put \"%CLAUDE_PROJECT_DIR%/CLAUDE.md\" --id $1 --create -q --from text-$1"
    echo 'if errorlevel 1 exit /b 2'
  } | sed 's/$/\r/' >"edit-$1.cmd"
}
policy() { python3 "$ours/locked.py" cmd.exe /c "edit-$1.cmd"; }

windows_project held
edit session 'Resume with: s-1'
edit pins '- never rebase'
export CLAUDE_MD_WAIT=20s CLAUDE_MD_TTL=1h
expect_code 0 policy session
has "$file" 'Resume with: s-1'
has "$file" 'Be kind.'

# A program of Windows that knows nothing of holdfast holds the sidecar.
wine=$(sed -n 's/^exec "\([^"]*\)".*/\1/p' "$HOLDFAST")
begin "$wine" "$(dirname -- "$HOLDFAST_EXE")/msvcrt_locker.exe" held/.CLAUDE.md.lock let-go
attacker=$pid
wait_until grep -q held "$scratch/begun"
export CLAUDE_MD_WAIT=300ms CLAUDE_MD_TTL=1s
for round in 1 2; do
  expect_code 0 policy pins
  expect_stderr_contains 'WITHOUT the lock'
  [ "$(events lock.fail_open)" -eq "$round" ] || fail 'not each fail-open is on record'
done
[ "$(events lock.taken)" -eq 0 ] || fail 'presumed dead although nobody was named'
has "$file" '- never rebase'
has "$file" 'Resume with: s-1'
: >let-go
ended "$attacker"
CLAUDE_MD_WAIT=20s
expect_code 0 policy pins
[ "$(events lock.fail_open)" -eq 2 ] || fail 'went on without a lock that was free'

# A holder of ours is stopped, past its lease: the next one gets the lock; the late edit is refused.
edit late '- late' 'echo up>late.up
:again
if not exist late.go ping -n 2 127.0.0.1 >nul 2>nul
if not exist late.go goto again'
CLAUDE_MD_TTL=2s
begin python3 "$ours/locked.py" cmd.exe /c edit-late.cmd
holder=$pid # locked.py has become `holdfast lock`
wait_until test -e late.up
kill -s STOP "$holder"
expect_code 0 policy session
[ "$(events lock.taken)" -eq 1 ] || fail 'the taking is not on record'
kill -s CONT "$holder"
: >late.go
ended "$holder"
[ "$code" -eq 2 ] || fail "the late one: $code: $(cat "$scratch/begun")"
lacks "$file" '- late'

# A marker has lost its partner.
sed -i '/<<< holdfast session/d' "$file"
cp "$file" before
expect_code 2 policy pins
expect_stderr_contains 'orphan-begin'
cmp "$file" before || fail 'changed although it is ambiguous'
