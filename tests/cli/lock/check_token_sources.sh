#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The token comes from --token, a file, stdin, or the environment of this very lock; never from that of another.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

owner x
printf '%s\n' "$token" >t
chmod 600 t
expect_code 0 "$HOLDFAST" check x --token "$token"
expect_no_stdout
expect_code 0 "$HOLDFAST" check x --token @t
expect_code 0 "$HOLDFAST" check x --token - <t
expect_code 0 env HOLDFAST_TOKEN="$token" "$HOLDFAST" check x
expect_code 0 env HOLDFAST_TOKEN="$token" HOLDFAST_LOCK=x "$HOLDFAST" check x
expect_code 64 env HOLDFAST_TOKEN="$token" HOLDFAST_LOCK=y "$HOLDFAST" check x
expect_code 66 "$HOLDFAST" check x --token @nowhere
chain="v1 named:$token:1:$HOLDFAST_HOME/locks/x.lock"
expect_code 0 env HOLDFAST_CHAIN="$chain" HOLDFAST_LOCK=y "$HOLDFAST" check x
expect_code 65 env HOLDFAST_CHAIN=nonsense "$HOLDFAST" check x
expect_code 0 "$HOLDFAST" check x --token "$token" --json
expect_json .lock x
expect_json .ttl_ms null
