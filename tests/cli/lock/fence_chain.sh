#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every lock of the chain must hold for every kind of change: under two locks all of them pass; when the outer one
# was released, none does (77), and nothing is changed.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >all.sh <<'END'
step() { "$HOLDFAST" "$@" >/dev/null 2>>errors; echo "$1 $?"; }
step write f -- printf "$1"
step write f -- printf "$1"
step update u -- printf "$1"
step block put b --id x --from from
step ledger append l -d '{"a":1}'
step ledger repair broken
step ensure --file "made.$1"
END
printf old >f
printf old >u
printf 'text\n' >b
printf '{"a":1}\n{"cut' >broken.jsonl
mv broken.jsonl broken
printf 'inside\n' >from
expect_code 0 "$HOLDFAST" lock outer -- "$HOLDFAST" lock inner -- sh all.sh passed
# shellcheck disable=SC2013 # words are what is wanted
for code in $(cut -d' ' -f2 "$stdout"); do [ "$code" -eq 0 ] || fail "$(cat "$stdout" errors)"; done
expect_code 0 "$HOLDFAST" lock outer -- "$HOLDFAST" lock inner -- "$HOLDFAST" write f --json -- printf new
expect_json '"\(.fenced) \(.fences)"' 'true 2'
expect_code 0 write f --json -- printf new
expect_json '"\(.fenced) \(.fences)"' 'false 0'

printf '{"a":1}\n{"cut' >broken
state() { find . -type f ! -name errors -exec sha256sum {} + | sort; }
before=$(state)
# shellcheck disable=SC2016 # for the inner shell
expect_code 0 "$HOLDFAST" lock outer -- sh -c 'T=$HOLDFAST_TOKEN
  "$HOLDFAST" lock inner -- sh -c "env -u HOLDFAST_CHAIN \"\$HOLDFAST\" release outer --token $T >/dev/null; sh all.sh late" || exit'
[ "$(wc -l <"$stdout")" -eq 7 ] || fail 'not all were tried'
# shellcheck disable=SC2013 # words are what is wanted
for code in $(cut -d' ' -f2 "$stdout"); do [ "$code" -eq 77 ] || fail "$(cat "$stdout" errors)"; done
[ "$(state)" = "$before" ] || fail "changed: $(ls -A)"
