#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A template is copied whole, no wider than it was, and not at all where it could lead elsewhere.
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir -p t/sub t/ro
echo text >t/sub/file
echo secret >t/secret
printf '#!/bin/sh\n' >t/script
ln t/secret t/second
ln -s ../secret t/sub/link
ln -s nowhere t/dangling
chmod 600 t/secret
chmod 644 t/sub/file
chmod 4755 t/script
chmod 555 t/ro
umask 077
for place in '' "--dir $scratch/work/out-{name}"; do
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" workspace new ${place:+--prefix out} --from t $place
  dir=$(tail -n 1 "$stdout")
  [ "$(cat "$dir/sub/file")" = text ] || fail 'the file is not there'
  [ "$(readlink "$dir/sub/link")" = ../secret ] || fail 'the link is not there'
  [ "$(readlink "$dir/dangling")" = nowhere ] || fail 'the dangling link is not there'
  [ "$(cd "$dir" && stat -c %a secret script ro sub/file | tr '\n' ' ')" = '600 755 555 644 ' ] ||
    fail "modes: $(cd "$dir" && stat -c '%n %a' secret script ro sub/file)"
  [ "$(stat -c %h "$dir/second")" = 1 ] || fail 'a hard link was copied as one'
done

# refused NAME-OF-WHAT: 65, named, and nothing is left.
refused() {
  expect_code 65 "$HOLDFAST" workspace new bad --from t
  expect_stderr_contains "$1"
  expect_code 66 "$HOLDFAST" workspace get bad
  expect_code 65 "$HOLDFAST" workspace new bad --from t --dir out-bad
  [ ! -e out-bad ] || fail "$1: a directory was left"
  rm -f "t/$1"
}
ln -s /etc/passwd t/absolute
refused absolute
ln -s ../../home t/sub/upwards
refused sub/upwards
ln -s sub/../../work t/zigzag
refused zigzag
mkfifo t/fifo
refused fifo
for name in harness.json harness.lock session.json out.log out.log.1 control session.spare runs; do
  : >"t/$name"
  expect_code 65 "$HOLDFAST" workspace new bad --from t
  expect_stderr_contains "$name"
  rm "t/$name"
done
expect_code 66 "$HOLDFAST" workspace new bad --from none
expect_code 77 "$HOLDFAST" workspace new bad --from t/script
leftover=$(find "$HOLDFAST_HOME/sessions" . -name '.hf-stage-*' -o -name bad)
[ -z "$leftover" ] || fail "left behind: $leftover"
chmod -R u+w . "$HOLDFAST_HOME/sessions"
