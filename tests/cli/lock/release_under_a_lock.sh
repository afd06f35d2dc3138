#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A script with acquire and release works the same under a `holdfast lock` of that lock: what it only entered again it
# does not release; a stale chain releases nothing and says so (77). A command that was entered again and outlives the
# outer one is told so (76).
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >script <<'END'
T=$("$HOLDFAST" acquire deploy) && "$HOLDFAST" check deploy --token "$T" && "$HOLDFAST" release deploy --token "$T" || exit
"$HOLDFAST" locks deploy --json | grep -q '"state":"held"' || exit 9
HOLDFAST_CHAIN='' "$HOLDFAST" lock -n deploy -- touch ran
[ $? -eq 75 ] || exit 10
END
expect_code 0 "$HOLDFAST" lock deploy -- sh script
[ ! -e ran ] || fail 'the outer lock was released'
expect_code 0 "$HOLDFAST" lock -n deploy -- true

# A chain that has outlived its command: the token holds nothing, and that is said, not that somebody will release it.
# shellcheck disable=SC2016 # for the inner shell
expect_code 0 "$HOLDFAST" lock deploy -- sh -c 'printf %s "$HOLDFAST_CHAIN" >chain; printf %s "$HOLDFAST_TOKEN" >token'
stale() { HOLDFAST_CHAIN=$(cat chain) HOLDFAST_TOKEN=$(cat token) HOLDFAST_LOCK=deploy "$HOLDFAST" "$@"; }
expect_code 77 stale release deploy
expect_stderr_contains 'does not hold it'
T=$("$HOLDFAST" acquire deploy)
expect_code 77 stale release deploy
expect_code 0 "$HOLDFAST" check deploy --token "$T"
expect_code 0 "$HOLDFAST" release deploy --token "$T"

mkfifo born over
# shellcheck disable=SC2016 # for the inner shell
expect_code 0 "$HOLDFAST" lock deploy -- sh -c '
  { "$HOLDFAST" lock deploy -- sh -c "echo >born; read -r _ <over"; echo $? >code; } >/dev/null 2>&1 &
  read -r _ <born'
echo >over
until [ -s code ]; do sleep 0.01; done
[ "$(cat code)" -eq 76 ] || fail "the inner one said $(cat code)"
