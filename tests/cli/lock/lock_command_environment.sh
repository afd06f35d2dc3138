#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command is told which lock it runs under; a lock that an outer command holds is entered again at once.
. "$(dirname -- "$0")/../../lib/lib.sh"

show='echo "$HOLDFAST_LOCK ${#HOLDFAST_TOKEN} $HOLDFAST_HELD ${HOLDFAST_DEADLINE-none}"; echo "$HOLDFAST_FENCE"; echo "$HOLDFAST_CHAIN"'
expect_code 0 "$HOLDFAST" lock x -- sh -c "$show"
[ "$(sed -n 1p "$stdout")" = 'x 32 1 none' ] || fail 'not told'
first=$(sed -n 2p "$stdout")
grep -q "^v1 named:[0-9a-f]\{32\}:$first:$HOLDFAST_HOME/locks/x.lock\$" "$stdout" || fail 'another chain'
expect_code 0 "$HOLDFAST" lock x -- sh -c "$show"
[ "$(sed -n 2p "$stdout")" -gt "$first" ] || fail 'the fence did not rise'
expect_code 0 env HOLDFAST_DEADLINE=old "$HOLDFAST" lock x -- sh -c "$show"
[ "$(sed -n 1p "$stdout")" = 'x 32 1 none' ] || fail 'the deadline of an outer lease is left'
expect_code 0 "$HOLDFAST" lock x --ttl 1h -- sh -c "$show"
grep -q '^x 32 1 20[0-9-]*T[0-9:.]*Z$' "$stdout" || fail 'no deadline'
: >f
expect_code 0 "$HOLDFAST" lock --file f -- sh -c "$show"
grep -qxF "file:$PWD/f 32 1 none" "$stdout" || fail 'not the path'

# Nested: the inner one of the same lock goes through, changes nothing, and releases nothing.
cat >inner <<'END'
outer="$HOLDFAST_TOKEN $HOLDFAST_FENCE $HOLDFAST_CHAIN"
"$HOLDFAST" lock -n x -- sh -c 'echo "$HOLDFAST_TOKEN $HOLDFAST_FENCE $HOLDFAST_CHAIN"' >inner-saw || exit 1
[ "$(cat inner-saw)" = "$outer" ] || exit 2
env -u HOLDFAST_CHAIN "$HOLDFAST" lock -n x -- true && exit 3
"$HOLDFAST" lock -n y -- sh -c 'echo "$HOLDFAST_LOCK"; echo "$HOLDFAST_CHAIN" | wc -w; "$HOLDFAST" lock -n x -- sh -c "echo \$HOLDFAST_LOCK"' >two || exit 4
[ "$(tr -d " " <two | tr "\n" " ")" = "y 3 x " ] || exit 5
END
export HOLDFAST
expect_code 0 "$HOLDFAST" lock x -- sh inner
expect_code 65 env HOLDFAST_CHAIN='v1 nonsense' "$HOLDFAST" lock x -- touch ran
expect_code 69 env HOLDFAST_CHAIN='v9 x' "$HOLDFAST" lock x -- touch ran
[ ! -e ran ] || fail 'ran under a chain that cannot be read'
