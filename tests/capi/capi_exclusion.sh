#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library, the program and flock exclude each other, in every direction; a holder that ends in whatever way is recovered.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

build_c tool
tool=$scratch/tool
mkfifo "$scratch/gate" "$scratch/said"

# hold HOW KIND NAME: by the library, until let_go.
hold() {
  "$tool" "$@" <"$scratch/gate" >"$scratch/said" &
  holder=$!
  exec 8>"$scratch/gate"
  read -r token _ <"$scratch/said"
}
let_go() {
  exec 8>&-
  wait "$holder"
}

# The library holds.
hold hold named one
expect_code 75 "$HOLDFAST" lock -n one -- true
expect_code 75 "$tool" try named one
expect_code 0 "$HOLDFAST" locks one --json
expect_json .holder.pid "$holder"
expect_code 0 "$HOLDFAST" check one --token "$token"
let_go
expect_code 0 "$HOLDFAST" lock -n one -- true

hold hold file data
expect_code 75 "$HOLDFAST" lock -n --file data -- true
expect_code 1 flock -n .data.lock true
let_go
expect_code 0 flock -n .data.lock true

hold hold path user.lock
expect_code 1 flock -n user.lock true
expect_code 75 "$HOLDFAST" lock -n ./user.lock -- true
let_go
expect_code 0 flock user.lock sh -c "'$tool' try named ./user.lock; test \$? = 75"

# The program holds.
expect_code 0 "$HOLDFAST" lock one -- sh -c "HOLDFAST_CHAIN= '$tool' try named one; test \$? = 75"
expect_code 0 "$HOLDFAST" lock --file data -- sh -c "HOLDFAST_CHAIN= '$tool' try file data; test \$? = 75"
# A command of it runs under it already.
expect_code 0 "$HOLDFAST" lock one -- "$tool" try named one
expect_stdout_contains 'reentered=1'

# flock holds.
expect_code 0 flock .data.lock sh -c "'$tool' try file data; test \$? = 75"
expect_code 0 "$tool" try file data

# One that ends without a release, and one that is killed.
hold drop named one
let_go
expect_code 0 "$tool" try named one
expect_stdout_contains dead
hold drop file data
kill -KILL "$holder"
exec 8>&-
wait "$holder" || :
expect_code 0 "$tool" try file data
expect_stdout_contains dead
expect_code 0 "$HOLDFAST" journal count --type lock.recovered
[ "$(cat "$stdout")" -ge 2 ] || fail 'a recovery is not on record'
