#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The fish completion offers commands, options, topics, and after `--` what fish itself would offer; the
# zsh completion parses.
. "$(dirname -- "$0")/../../lib/lib.sh"
docgen=$(dirname -- "$HOLDFAST")/src/cli/holdfast-docgen
[ -x "$docgen" ] || skip 'holdfast-docgen is not built'
mkdir completions
"$docgen" completions completions || fail 'docgen completions failed'

if command -v zsh >/dev/null; then
  zsh -f -n completions/_holdfast || fail 'zsh does not parse its completion'
fi
command -v fish >/dev/null || skip 'fish is not installed'
offers() {
  fish --no-config -c "source completions/holdfast.fish; complete -C '$1'" >"$stdout" 2>"$stderr" ||
    fail "fish failed: $1"
  cut -f 1 "$stdout" | grep -qxF -e "$2" || fail "'$1' does not offer $2"
}
offers 'holdfast he' help
offers 'holdfast help --ver' --version
offers 'holdfast --json help exi' exit-codes
offers 'holdfast help -- mkdi' mkdir
offers 'holdfast help -- cat /et' /etc/
offers 'holdfast run mkdi' mkdir
offers 'holdfast run --timeout 5 -q mkdi' mkdir
offers 'holdfast run --timeout=5 cat /et' /etc/
offers 'holdfast run --ti' --timeout
offers 'holdfast lock deploy mkdi' mkdir
offers 'holdfast lock --file x mkdi' mkdir
offers 'holdfast lock deploy --tt' --ttl
offers 'holdfast loop ret' retry
offers 'holdfast step forg' forget
offers 'holdfast step forget --rea' --reason
offers 'holdfast once some-key --tt' --ttl
offers 'holdfast journal append --da' --data
