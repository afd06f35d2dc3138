#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# System calls are made in src/os and nowhere else: there they go through the call table, so that the
# sweeps can fail each one. Elsewhere an angle-bracket header must be pure C++ or one of the libraries
# below (what is not on the list is taken for the system's), and no function is called by a global name.
# Tests, their fixtures and src/testing are free.
. "$(dirname -- "$0")/lib.sh"

libraries='fmt/|nlohmann/|CLI/|toml\+\+/|openssl/sha\.h|zstd\.h|yaml\.h|getopt\.h'
touching='cerrno|csignal|ctime|fstream|filesystem'  # C++ headers whose functions ask the system

product=$(mktemp) || exit 70
trap 'rm -f "$found" "$product"' EXIT
tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) ! -name '*_test.cc' ! -name '*_fixture.h' \
  ! -path './src/os/*' ! -path './src/testing/*' | code os_only >"$product"

grep -E '#[ \t]*include[ \t]*<' "$product" | grep -E "<[^>]*\.h(pp)?>|<($touching)>" |
  grep -Ev "<($libraries)" | report 'a header of the operating system outside src/os'
grep -E '#[ \t]*include[ \t]*<cstdio>' "$product" | grep -v '^src/cli/' |
  report '<cstdio> outside src/os and src/cli'
grep -E '(^|[^A-Za-z0-9_>:])::[a-z_][a-z0-9_]*[ ]*\(' "$product" |
  report 'a call by its global name outside src/os'
grep -E 'std::(fopen|freopen|tmpfile|remove|rename|system|time|raise|signal)[ ]*\(' "$product" |
  report 'a standard function that is a system call outside src/os'
grep -E '(system|steady|high_resolution|utc)_clock::now[ ]*\(' "$product" |
  report 'the time is read through Clock (base/clock.h)'
verdict
