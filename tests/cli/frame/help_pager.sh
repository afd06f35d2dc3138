#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a terminal a long page goes through $PAGER, or `less`; what a failing pager did not show is printed. Elsewhere, and
# for what fits the terminal, there is no pager.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v script >/dev/null || skip 'script(1) is not installed'
export HOLDFAST TERM=xterm
unset PAGER

on_terminal() { script -qec "stty rows 24 cols 80; $1" /dev/null </dev/null >"$stdout" 2>&1 || fail 'script failed'; }
printf '#!/bin/sh\nsed "s/^/paged: /"\n' >pager
chmod 755 pager

# shellcheck disable=SC2016 # the inner shell expands it
page='"$HOLDFAST" run --help'
PAGER="'$PWD/pager'" on_terminal "$page"
expect_stdout_contains 'paged: holdfast run - '
for failing in false 'exit 3' no-such-pager 'kill -9 $$' ; do
  PAGER=$failing on_terminal "$page"
  expect_stdout_contains '--wait-descendants'
done
PAGER='head -n 1' on_terminal "$page"
[ "$(grep -c 'holdfast run - ' "$stdout")" -eq 1 ] || fail 'a pager that leaves early was held to have failed'

# Not for what fits, not for a dumb terminal, not without a terminal, not with PAGER=cat or empty.
# shellcheck disable=SC2016
PAGER="'$PWD/pager'" on_terminal '"$HOLDFAST" run -h; "$HOLDFAST" run --help --json; "$HOLDFAST" run --help | cat'
! grep -q 'paged:' "$stdout" || fail 'a pager for a short text, a document or a pipe'
PAGER="'$PWD/pager'" TERM=dumb on_terminal "$page"
! grep -q 'paged:' "$stdout" || fail 'a pager on a dumb terminal'
PAGER='' on_terminal "$page"
expect_stdout_contains '--wait-descendants'

# Without PAGER: `less` of PATH, with these options, or else nothing in between.
mkdir bin
printf '#!/bin/sh\necho "less $*"\ncat\n' >bin/less
chmod 755 bin/less
# shellcheck disable=SC2016
PATH=$PWD/bin:$PATH on_terminal "$page"
expect_stdout_contains 'less -FRX'
mkdir empty
ln -s "$(command -v stty)" empty/stty
# shellcheck disable=SC2016
SCRIPT=$(command -v script) SHELL=/bin/sh
"$SCRIPT" -qec "stty rows 24 cols 80; PATH=$PWD/empty; $page" /dev/null </dev/null >"$stdout" 2>&1 || fail 'script failed'
expect_stdout_contains '--wait-descendants'
