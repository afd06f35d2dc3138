#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example of docs/profiles.md is right: it is taken from there and run.
page=$(cd -- "$(dirname -- "$0")/../../.." && pwd)/docs/profiles.md
. "$(dirname -- "$0")/../../lib/lib.sh"

# block N: the Nth block of TOML on the page.
block() { awk -v want="$1" '/^```toml$/ { n++; on = n == want; next } /^```$/ { on = 0 } on' "$page"; }
block 1 >holdfast.toml
block 2 >layers.toml
printf '#!/bin/sh\necho "{\\"port\\": $1}"\n' >make-config
printf '#!/bin/sh\nprintf "%%s\\n" "$AGENT_MODE" "$AGENT_HOME" "$@" >state/result\n' >agent
chmod 755 make-config agent

expect_code 0 "$HOLDFAST" profile check holdfast.toml
expect_code 0 "$HOLDFAST" run --profile agent --json -- --dry
expect_json .verified true
printf '%s\n' fix "$HOME/agent" --config state/config.json --rules rules.txt --local --dry |
  cmp - state/result || fail 'the words are others'
[ "$(cat state/config.json)" = '{"port": 8080}' ] || fail 'the file was not refreshed'
