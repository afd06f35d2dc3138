#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Platform #if only in src/os, and in the header that users compile. Elsewhere a platform is a file (_linux, _posix, _win) that CMake chooses, so
# that no function body holds two systems at once.
. "$(dirname -- "$0")/lib.sh"

macros='_WIN32|_WIN64|WIN32|__linux__|__linux|__unix__|__APPLE__|_MSC_VER|__MINGW32__|__MINGW64__'
macros="$macros|__CYGWIN__|__FreeBSD__|__OpenBSD__|__NetBSD__|__GLIBC__|__ANDROID__"

tree \( -name '*.cc' -o -name '*.h' -o -name '*.c' \) ! -path './src/os/*' ! -path './include/*' | code platform_if |
  grep -E "^[^:]*:[0-9]*:[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef)([^A-Za-z0-9_].*)?[^A-Za-z0-9_]($macros)([^A-Za-z0-9_]|$)" |
  report 'a platform #if outside src/os'
verdict
