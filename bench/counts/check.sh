#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The regression guard: counts the instructions of each operation of hf_counts under callgrind and compares them
# with counts.txt. README.md beside it says what is counted.
#
#   sh bench/counts/check.sh            exit 1: an operation costs over 10 % more than the file says, or is not in it
#   sh bench/counts/check.sh --update   writes the file anew; it belongs into the change that made it necessary
#
# HF_COUNTS is the program, else that of the release build. Exit 4 with `SKIP: reason` where the counts of this
# machine and those of the file do not compare.
set -eu
unset CDPATH
export LC_ALL=C
here=$(cd -P -- "$(dirname -- "$0")" && pwd)
program=${HF_COUNTS:-$here/../../build/release/bench/counts/hf_counts}
file=$here/counts.txt
# The difference is counted, so start-up and whatever is done once are left out. It is as many times as there are
# traces in one write, and all numbers in between have three digits.
few=128 many=384

case $#:${1-} in
  0:) update=no ;;
  1:--update) update=yes ;;
  *) echo 'usage: check.sh [--update]' >&2; exit 64 ;;
esac

skip() { echo "SKIP: $*"; exit 4; }
die() { echo "check.sh: $*" >&2; exit 1; }
valgrind=$(command -v valgrind) || skip 'valgrind is not installed'
[ -x "$program" ] || die "there is no $program; \`./dev test unit\` builds it"
counted_with="$(valgrind --version), $("$program" --made-by)"
if [ "$update" = no ]; then
  kept_with=$(sed -n 's/^# counted with: //p' "$file")
  [ "$kept_with" = "$counted_with" ] ||
    skip "the counts of bench/counts/counts.txt are of $kept_with; here: $counted_with"
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/hf-counts.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
ln -s "$(realpath -- "$program")" "$scratch/hf_counts"

# instructions OPERATION TIMES: of a whole run in an empty directory. Arguments and environment are as long as ever:
# where the stack begins, memchr does not need the same steps. memcpy and the like are the plain ones of glibc, and
# SHA-256 is OpenSSL's without AVX, whatever the processor can do.
instructions() {
  rm -rf "$scratch/work" "$scratch/out"
  mkdir "$scratch/work"
  (cd "$scratch/work" && env -i \
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX,-AVX_Fast_Unaligned_Load,-BMI1,-BMI2,-LZCNT,-MOVBE,-ERMS,-FSRM,-RTM \
    OPENSSL_ia32cap='~0x1000000000000000:~0xffffffff' \
    "$valgrind" --tool=callgrind --callgrind-out-file="$scratch/out" --log-file="$scratch/log" \
    "$scratch/hf_counts" "$1" "$2") || { cat "$scratch/log" >&2; die "$1 failed under callgrind"; }
  sed -n 's/^totals: //p' "$scratch/out"
}

"$program" --list | sort >"$scratch/operations"
while read -r operation; do
  low=$(instructions "$operation" $few)
  high=$(instructions "$operation" $many)
  printf '%-16s %8d\n' "$operation" $(((high - low) / (many - few)))
done <"$scratch/operations" >"$scratch/counts"

if [ "$update" = yes ]; then
  cat >"$scratch/new" <<END
# SPDX-License-Identifier: Apache-2.0
#
# Instructions of one operation, counted by callgrind; \`sh bench/counts/check.sh --update\` writes this file.
# valgrind 3.19 knows no openat2, no pidfds and no clone3, so these are the counts of the ways without them.
#
# counted with: $counted_with
# compiled with: $("$program" --flags), and what cmake/HoldfastFlags.cmake adds for the product; linked statically
END
  cat "$scratch/counts" >>"$scratch/new"
  cat "$scratch/new" >"$file"
  echo "written: $file"
  exit 0
fi

grep -v '^#' "$file" >"$scratch/kept"
awk '
  BEGIN { line = "%-16s %9s %9s %8s  %s\n"; printf line, "operation", "kept", "now", "change", "" }
  NR == FNR { kept[$1] = $2; next }
  {
    seen[$1] = 1
    change = ""; says = ""
    if (!($1 in kept)) {
      says = "FAIL: not in counts.txt"
      bad = 1
    } else {
      percent = ($2 / kept[$1] - 1) * 100
      change = sprintf("%+.1f %%", percent)
      if (percent > 10) { says = "FAIL: dearer by more than 10 %"; bad = 1 }
      if (percent < -10) { says = "cheaper: the file may be lowered"; }
    }
    printf line, $1, ($1 in kept) ? kept[$1] : "-", $2, change, says
  }
  END {
    for (name in kept) if (!(name in seen)) {
      printf line, name, kept[name], "-", "", "FAIL: no such operation any more"
      bad = 1
    }
    if (bad) print "\nWhere that is the price of something wanted, put the new counts into the same change:\n" \
                   "  sh bench/counts/check.sh --update"
    exit bad
  }' "$scratch/kept" "$scratch/counts"
