#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A container with a boot id and a machine id of its own shares the home: what it has just made is not old here.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'needs root for mounts'
echo 22222222-1111-4111-8111-111111111111 >boot
echo 0123456789abcdef0123456789abcdef >machine
unshare -m true 2>/dev/null || skip 'no mount namespaces here'
[ -e /etc/machine-id ] || skip 'this machine has no id'
cat >inside <<'X'
set -eu
mount --bind boot /proc/sys/kernel/random/boot_id
mount --bind machine /etc/machine-id
"$HOLDFAST" workspace new in --owner none --ttl 1h >/dev/null
"$HOLDFAST" workspace detach in --force >/dev/null
"$HOLDFAST" workspace set in alive=1
X
unshare -m sh inside || skip 'the ids cannot be covered here'
expect_code 0 "$HOLDFAST" gc --json
[ "$(jq -r '[.kept[] | select(.name == "in").reason] | join(" ")' <"$stdout")" != '' ] || fail 'it was not kept'
[ -d "$HOLDFAST_HOME/sessions/in" ] || fail 'a session that is a second old went as one of an earlier boot'
# One of this machine that was ended goes, beside it.
"$HOLDFAST" workspace new here --owner none >/dev/null
"$HOLDFAST" workspace detach here --force >/dev/null
"$HOLDFAST" workspace end here >/dev/null
expect_code 0 "$HOLDFAST" gc --grace 0 --json
expect_json '[.removed[].name] | join(" ")' here
[ -d "$HOLDFAST_HOME/sessions/in" ] || fail 'the other one went with it'
