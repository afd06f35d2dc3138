#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `show` and `ps` print a command so that a shell reads the same words back: quoted only where it has to be.
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >words <<'X'
#!/bin/sh
for word; do printf '<%s>' "$word"; done
X
chmod +x words
set -- ./words plain a=b 'two words' "it's" '$HOME' '*' '' 'a;b' '~' '#x' '"q"' '\n' '!'
expect_code 0 "$HOLDFAST" run --name q -- "$@"
cp "$stdout" first
expect_code 0 "$HOLDFAST" show q
line=$(sed -n 's/^command  *//p' "$stdout")
[ "$(sh -c "$line")" = "$(cat first)" ] || fail "it reads back as $(sh -c "$line"): $line"
case $line in './words plain a=b '*) ;; *) fail "plain words are quoted: $line" ;; esac
expect_code 0 "$HOLDFAST" ps --all
expect_stdout_contains "'two words'"
