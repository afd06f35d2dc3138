#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links, special files and files of other users are refused (77), also for reading: their answer would be believed.
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir real
printf '[{"n":1}]' >real/h.json
cp real/h.json before
ln -s real/h.json link.json
ln -s real dir
ln -s nowhere dangling.json
mkfifo fifo.json
refused() { # PATH CAUSE [OPTION]
  for words in last check repair append; do
    expect_code 77 "$HOLDFAST" ledger "$words" "$1" --json <<END
{"n":2}
END
    expect_json .error.cause "$2"
  done
  cmp -s before real/h.json || fail 'it was changed'
}
refused link.json is-link
refused dir/h.json is-link
refused dangling.json is-link
refused fifo.json not-a-regular-file
[ ! -e nowhere ] || fail 'the link was followed'
expect_code 0 "$HOLDFAST" ledger last link.json --links follow
expect_stdout_is '{"n":1}'
expect_code 0 "$HOLDFAST" ledger append dir/h.json --links follow --data '{"n":2}'
jq -e 'length == 2' <real/h.json >/dev/null || fail 'not appended'

[ "$(id -u)" -eq 0 ] || exit 0
chown 12345 real/h.json
cp real/h.json before
refused real/h.json foreign-owner
expect_code 77 "$HOLDFAST" ledger append real/h.json --in-place --data '{}'
expect_code 0 "$HOLDFAST" ledger last real/h.json --foreign-owner --where n=2
