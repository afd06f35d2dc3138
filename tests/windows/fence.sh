#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A late change of a holder whose lock was taken is refused, and the file stays; `update` goes through under the lock
# of its own file; every lock of a chain must hold.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

# The holder's lease runs out, another takes the lock and writes.
printf old >f
waiter owner
expect_code 0 "$HOLDFAST" run --detach --name owner -- "$cmd" /c owner.cmd
wait_until test -e owner.up
expect_code 0 "$HOLDFAST" show owner --json
expect_code 0 "$HOLDFAST" acquire --file f --owner "$(json_field .pid)" --ttl 10s
old=$(plain "$stdout")
printf early | expect_code 0 "$HOLDFAST" write f --allow-unchecked --token "$old" --json
expect_json .fences 1
expect_code 0 "$HOLDFAST" lock --file f -w 60s --on-expired take -- "$exe" write f --json -- "$cmd" /c 'echo taken'
expect_json .fences 1
printf late | expect_code 77 "$HOLDFAST" write f --allow-unchecked --token "$old" --json
expect_json .error.cause lock-lost
[ "$(plain f)" = taken ] || fail "a late write landed: $(cat f)"
expect_code 77 "$HOLDFAST" update f --token "$old" --json -- "$cmd" /c 'echo late'
[ "$(plain f)" = taken ] || fail "a late update landed: $(cat f)"
expect_code 0 "$HOLDFAST" journal count --type lock.taken
expect_stdout_is 1
: >owner.go
expect_code 0 "$HOLDFAST" wait owner --timeout 60s

# `update` does not wait for the lock that it is run under, and is fenced by it.
printf 'b1\r\na1\r\n' >list
expect_code 0 "$HOLDFAST" lock --file list -- "$exe" update list --wait 0s --json -- "$cmd" /d /s /c 'find "b"'
expect_json .fences 1
[ "$(plain list)" = b1 ] || fail "filtered: $(cat list)"

# Two locks and that of the file: all fence; when the outer one has been released, nothing is changed.
expect_code 0 "$HOLDFAST" lock outer -- "$exe" lock inner -- "$exe" write f --json -- "$cmd" /c 'echo both'
expect_json '"\(.fenced) \(.fences)"' 'true 3'
cat >late.cmd <<CMD
@echo off
"$exe" lock inner -- "$exe" write f -- cmd /c "echo nested"
if errorlevel 1 exit /b 50
setlocal
set HOLDFAST_CHAIN=
"$exe" release outer --token %HOLDFAST_TOKEN%
if errorlevel 1 exit /b 51
endlocal
"$exe" lock inner -- "$exe" write f --json -- cmd /c "echo late"
CMD
expect_code 77 "$HOLDFAST" lock outer -- "$cmd" /c late.cmd
[ "$(plain f)" = nested ] || fail "f is $(cat f)"
