#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What it costs to be supervised: `holdfast run -- true` at most 2.0 of `timeout 10 true`.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

strip -o "$work/holdfast" "$HOLDFAST"  # as it ships
cc -O2 -Wall -Wextra -o "$work/interleave" interleave.c
"$work/interleave" "${ROUNDS:-1000}" \
  'timeout 10 true' timeout 10 true ::: \
  'holdfast run' "$work/holdfast" run -- true ::: \
  'holdfast run --timeout' "$work/holdfast" run --timeout 10 -- true ::: \
  'true alone' true
