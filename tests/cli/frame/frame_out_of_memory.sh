#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without memory the program ends with 70 and a sentence; it never aborts and never answers wrongly.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"

command -v prlimit >/dev/null || skip 'prlimit(1) is not installed'

# limited KIB WORD…
limited() {
  kibibytes=$1
  shift
  prlimit --core=0 --as=$((kibibytes * 1024)) "$HOLDFAST" "$@"
}
limited 500000 --version >"$stdout" 2>"$stderr" || skip 'a sanitizer takes all address space'

# 50000 words take more memory than the program itself. From too little to start, up to enough.
words=$(yes x | head -n 50000)
kib=2000 faults=0 code=0
while [ "$kib" -lt 500000 ]; do
  code=0
  # shellcheck disable=SC2086 # many words on purpose
  limited "$kib" help $words >"$stdout" 2>"$stderr" || code=$?
  case $code in
    64) break ;;
    70)
      faults=$((faults + 1))
      expect_stderr_contains 'holdfast: cannot'
      expect_no_stdout
      ;;
    126 | 127 | 137 | 139) [ "$faults" -eq 0 ] || fail "exit code $code at $kib KiB, after 70" ;;
    *) fail "exit code $code at $kib KiB" ;;
  esac
  kib=$((kib + 1000))
done
[ "$code" -eq 64 ] || fail 'it never had enough'
[ "$faults" -gt 0 ] || fail 'memory never ran out inside the program'
