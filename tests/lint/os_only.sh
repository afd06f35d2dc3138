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

product() {
  tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) ! -name '*_test.cc' ! -name '*_fixture.h' \
    ! -path './src/os/*' ! -path './src/testing/*' | code os_only
}

product | grep -E '#[ \t]*include[ \t]*<' | grep -E "<[^>]*\.h(pp)?>|<($touching)>" |
  grep -Ev "<($libraries)" | report 'a header of the operating system outside src/os'
product | grep -E '#[ \t]*include[ \t]*<cstdio>' | grep -v '^src/cli/' |
  report '<cstdio> outside src/os and src/cli'
product | grep -E '(^|[^A-Za-z0-9_>:])::[a-z_][a-z0-9_]*[ ]*\(' |
  report 'a call by its global name outside src/os'
product | grep -E 'std::(fopen|freopen|tmpfile|remove|rename|system|time|raise|signal)[ ]*\(' |
  report 'a standard function that is a system call outside src/os'
product | grep -E '(system|steady|high_resolution|utc)_clock::now[ ]*\(' |
  report 'the time is read through Clock (base/clock.h)'
verdict
