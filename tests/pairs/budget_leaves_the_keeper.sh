#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The keeper that `acquire --budget` leaves behind is not part of the budget: the lock is held beyond it.
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
tidy_keepers

expect_code 0 "$HOLDFAST" acquire x --budget 300ms
read -r token <"$stdout"
expect_code 75 "$HOLDFAST" lock -w 600ms x -- touch ran
[ ! -e ran ] || fail 'two at a time'
expect_code 0 "$HOLDFAST" check x --token "$token"
[ -n "$(keepers)" ] || fail 'the keeper is gone'
expect_code 0 "$HOLDFAST" release x --token "$token"
