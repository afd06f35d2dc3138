#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program is one file: it needs no library but those that every Windows has.
. "$(dirname -- "$0")/../lib/lib.sh"
: "${HOLDFAST_EXE:?HOLDFAST_EXE must be the path of holdfast.exe}"
objdump=$(command -v x86_64-w64-mingw32-objdump) || skip 'x86_64-w64-mingw32-objdump is not installed'

"$objdump" -p "$HOLDFAST_EXE" | sed -n 's/.*DLL Name: //p' | tr '[:upper:]' '[:lower:]' | sort -u >dlls
[ -s dlls ] || fail 'no imports were read'
while read -r dll; do
  case $dll in
  advapi32.dll | bcrypt.dll | kernel32.dll | msvcrt.dll | ntdll.dll | shell32.dll | user32.dll | ws2_32.dll) ;;
  *) fail "it needs $dll" ;;
  esac
done <dlls
