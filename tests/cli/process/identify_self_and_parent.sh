#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `self` is the script that calls, also from brackets and $(…); `parent` is the process right above.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# shellcheck disable=SC2016  # for the inner shells
cat >inner.sh <<'INNER'
[ "$("$HOLDFAST" identify self | jq .pid)" = $$ ] || exit 11
T=$("$HOLDFAST" identify self 2>/dev/null || echo no)
[ "$(printf '%s' "$T" | jq .pid)" = $$ ] || exit 12
("$HOLDFAST" identify self; :) >from_brackets
[ "$(jq .pid <from_brackets)" = $$ ] || exit 13
"$HOLDFAST" identify parent >plain
[ "$(jq .pid <plain)" = $$ ] || exit 14
# A worker in the background learns its own identity, which the script knows as $!.
mkfifo go
{ "$HOLDFAST" identify parent >worker; read -r _ <go; } &
worker=$!
until [ -s worker ]; do :; done
[ "$(jq .pid <worker)" = "$worker" ] || exit 15
"$HOLDFAST" alive @worker >/dev/null || exit 16
echo >go
wait "$worker"
code=0
"$HOLDFAST" alive @worker >/dev/null || code=$?
[ "$code" -eq 66 ] || exit 17
INNER
expect_code 0 sh inner.sh
