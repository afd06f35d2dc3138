#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is installed is a package: pkg-config and find_package find the header, the library and the archive, wherever it lies.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"
for program in cmake pkg-config c++; do
  command -v "$program" >/dev/null || skip "no $program"
done

expect_code 0 cmake --install "$HF_BUILD" --component library --prefix "$scratch/first"
mv "$scratch/first" "$scratch/prefix" # it can be moved
PKG_CONFIG_PATH=$(find "$scratch/prefix" -name pkgconfig)
export PKG_CONFIG_PATH
lib=$(pkg-config --variable=libdir holdfast)

# shellcheck disable=SC2046,SC2086 # several words on purpose
cc -std=c11 $strict -D_DEFAULT_SOURCE "$HF_SOURCE/tests/capi/tool.c" -o "$scratch/shared" \
  $(pkg-config --cflags --libs holdfast) -Wl,-rpath,"$lib" || fail 'pkg-config'
expect_code 0 "$scratch/shared" try named x
# The archive instead: it carries everything that is holdfast's, and shows only the names of the header.
# shellcheck disable=SC2046,SC2086 # several words on purpose
cc -std=c11 $strict -D_DEFAULT_SOURCE $(pkg-config --cflags holdfast) "$HF_SOURCE/tests/capi/tool.c" -o "$scratch/static" \
  "$lib/libholdfast.a" $(pkg-config --static --libs-only-l holdfast | sed 's/-lholdfast//') || fail 'the archive'
expect_code 0 "$scratch/static" try named x
nm -g --defined-only "$lib/libholdfast.a" | awk 'NF == 3 && $2 == "T" { print $3 }' | grep -v '^holdfast_' |
  grep -v '^_ZN\?K\?S\|^_ZSt\|^_ZN9__gnu_cxx\|^_ZN8nlohmann\|^_ZNK8nlohmann' && fail 'the archive shows more than its header'

cp -R "$HF_SOURCE/tests/capi/package" "$scratch/package"
expect_code 0 cmake -S "$scratch/package" -B "$scratch/package/build" -DCMAKE_PREFIX_PATH="$scratch/prefix"
expect_code 0 cmake --build "$scratch/package/build"
expect_code 0 "$scratch/package/build/app"
expect_code 0 "$scratch/package/build/app-static"
