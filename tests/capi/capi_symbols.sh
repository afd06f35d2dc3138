#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the library shows is its committed list and nothing else, and it needs nothing but the C library.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

nm -D --defined-only "$HF_LIBRARY" | awk '{ print $3 }' | sort >"$scratch/shown"
sed '/^#/d' "$HF_SOURCE/tests/capi/symbols.txt" | sort >"$scratch/listed"
diff -u "$scratch/listed" "$scratch/shown" ||
  fail 'the symbols differ from tests/capi/symbols.txt: names may be added to the list, never taken away'
# Each of them is in the header, and no other function is.
sed -n 's/^HOLDFAST_API .*\(holdfast_[a-z_]*\)(.*/\1@@HOLDFAST_1/p' "$HF_SOURCE/include/holdfast/holdfast.h" |
  sort >"$scratch/declared"
grep -v '^HOLDFAST_1$' "$scratch/listed" >"$scratch/functions"
diff -u "$scratch/functions" "$scratch/declared" || fail 'the header declares other functions than the library shows'

readelf -d "$HF_LIBRARY" >"$scratch/dynamic"
grep -q 'SONAME.*\[libholdfast\.so\.1\]' "$scratch/dynamic" || fail 'not the soname'
grep -q NODELETE "$scratch/dynamic" || fail 'it can be unloaded'
grep NEEDED "$scratch/dynamic" | grep -Ev '\[(libc|libm|ld-linux-[a-z0-9-]*)\.so\.[0-9]+\]' &&
  fail 'it needs another library'
readelf -lW "$HF_LIBRARY" | grep -q 'GNU_STACK.* RW ' || fail 'its stack can be executed'

# The header is C11 and C++17, without a warning.
for lang in 'c -std=c11' 'c++ -std=c++17'; do
  # shellcheck disable=SC2086 # several words on purpose
  printf '#include <holdfast/holdfast.h>\nint main(void) { return holdfast_abi() != HOLDFAST_ABI; }\n' |
    cc -x $lang $strict -Wconversion -I "$HF_SOURCE/include" -fsyntax-only - || fail "the header is no $lang"
done
exit 0
