#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --exec runs the command without a shell, the list in place of the one word {layers}, with its count and
# digest in the environment; its exit code is the command's own.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir bin
script bin/docker <<'END'
printf '%s\0' "$@"
echo "$HOLDFAST_LAYERS_COUNT $HOLDFAST_LAYERS_DIGEST" >stamp
exit 7
END
PATH=$PWD/bin:$PATH
touch 'base file.yml' hardening.yml
cat >plan.toml <<'END'
[[layer]]
name = "base"
required = true
args = ["base file.yml", "hardening.yml"]
END

HOLDFAST_LAYERS_COUNT=99
export HOLDFAST_LAYERS_COUNT
expect_code 7 "$HOLDFAST" layers plan.toml --format compose --exec -- docker compose '{layers}' up '$x' 'x{layers}'
printf '%s\0' compose -f 'base file.yml' -f hardening.yml up '$x' 'x{layers}' | cmp - "$stdout" || fail 'another argv'
digest=$(printf '%s\0' -f 'base file.yml' -f hardening.yml | sha256sum | cut -d ' ' -f 1)
[ "$(cat stamp)" = "4 $digest" ] || fail "another stamp: $(cat stamp)"
[ "$(last_event layers.assembled | jq -r '"\(.count) \(.digest)"')" = "4 $digest" ] || fail 'another event'
expect_code 7 "$HOLDFAST" layers plan.toml --exec -- docker '{layers}'
printf '%s\0' 'base file.yml' hardening.yml | cmp - "$stdout" || fail 'another argv'

# The old value is replaced, not shadowed.
expect_code 0 "$HOLDFAST" layers plan.toml --exec -- grep -zhc '^HOLDFAST_LAYERS_COUNT=' /proc/self/environ '{layers}'
[ "$(tr '\n' ' ' <"$stdout")" = '1 0 0 ' ] || fail 'the stamp stands there twice'

# It is this process that becomes the command, and SIGPIPE is not ignored there.
# shellcheck disable=SC2016 # the inner shell's own variable
expect_code 0 sh -c 'echo $$ >pid; exec "$0" layers plan.toml --exec -- sh -c "echo \$\$" {layers}' "$HOLDFAST"
expect_stdout_is "$(cat pid)"
expect_code 0 "$HOLDFAST" layers plan.toml --exec -- awk '/^SigIgn/ { print $2 }' /proc/self/status '{layers}'
[ $((0x$(cat "$stdout") & 0x1000)) -eq 0 ] || fail 'SIGPIPE is ignored'
