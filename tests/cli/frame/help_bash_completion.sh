#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bash completion offers commands, options, topics and directories, and after `--` commands, also
# where the bash-completion package is not installed.
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v bash >/dev/null || skip 'bash is not installed'
docgen=$(dirname -- "$HOLDFAST")/src/cli/holdfast-docgen
[ -x "$docgen" ] || skip 'holdfast-docgen is not built'
mkdir completions a-directory
"$docgen" completions completions || fail 'docgen completions failed'

# complete_words WORD…: what is offered for the last word.
cat >drive.bash <<'BASH'
source completions/holdfast.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_holdfast
printf '%s\n' "${COMPREPLY[@]}"
BASH
complete_words() { bash --norc drive.bash "$@" >"$stdout" 2>"$stderr" || fail "bash failed: $*"; }
offers() { grep -qxF -e "$1" "$stdout" || fail "not offered: $1"; }

complete_words holdfast he && offers help && expect_no_stderr
complete_words holdfast --ver && offers --version
complete_words holdfast --json help exi && offers exit-codes
complete_words holdfast --home a-d && offers a-directory
complete_words holdfast --home = a-d && offers a-directory
complete_words holdfast --home x help --q && offers --quiet
complete_words holdfast help -- mkdi && offers mkdir
# Without `--`, where the user's command begins.
complete_words holdfast run mkdi && offers mkdir
complete_words holdfast run --timeout 5 -q mkdi && offers mkdir
complete_words holdfast run --timeout = 5 mkdi && offers mkdir
complete_words holdfast run --timeout mkdi
[ "$(cat "$stdout")" = '' ] || fail 'a command as a duration'
complete_words holdfast run mkdir a-d && offers a-directory
complete_words holdfast run mkdir --ti
[ "$(cat "$stdout")" = '' ] || fail 'our options behind the command'
complete_words holdfast run --ti && offers --timeout
complete_words holdfast lock mkdi
[ "$(cat "$stdout")" = '' ] || fail 'a command as a NAME'
complete_words holdfast lock deploy mkdi && offers mkdir
complete_words holdfast lock --file x mkdi && offers mkdir
complete_words holdfast once key mkdi && offers mkdir
complete_words holdfast once key --tt && offers --ttl
# A group with a command of its own: its members, then their options; a file is not one of them.
complete_words holdfast loop ret && offers retry
complete_words holdfast loop retry --rea && offers --reason
complete_words holdfast loop some-file --no && offers --no-wait
complete_words holdfast step forg && offers forget
complete_words holdfast step forget --rea && offers --reason
complete_words holdfast once some-key --tt && offers --ttl
complete_words holdfast once --tt && offers --ttl
