#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Within src/os a system call goes through the table, `sys().openat(…)`: a call by its own name would be
# invisible to the fault and crash sweeps. Only sys_*.cc, which fill the table, name the real functions.
# (symbols.sh checks the same on the built objects, where no spelling can hide a call.)
. "$(dirname -- "$0")/lib.sh"

tree -path './src/os/*' \( -name '*.cc' -o -name '*.h' \) ! -name 'sys_*.cc' ! -name '*_test.cc' |
  code sys_table | grep -E '(^|[^A-Za-z0-9_>:])::[A-Za-z_][A-Za-z0-9_]*[ ]*\(' |
  report 'a raw system call: use the call table, sys()'
verdict
