#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The usual shell function that collects -f arguments starts the engine without the hardening overlay when the
# command that lists the overlays fails; holdfast does not start it.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# shellcheck disable=SC2016 # the script's own variables
echo 'echo "$@" >started' | script docker
touch base.yml mounts.yml hardening.yml
# The second overlay is found only while the inventory can be asked.
echo 'echo mounts.yml; ./inventory || exit 5; echo hardening.yml' | script overlays
echo 'exit 1' | script inventory

naive() {
  set -- -f base.yml
  for file in $(./overlays); do
    set -- "$@" -f "$file"
  done
  ./docker compose "$@" up -d
}
cat >plan.toml <<'END'
[[layer]]
name = "base"
required = true
args = ["base.yml"]
[[layer]]
name = "overlays"
command = ["./overlays"]
END
safe() { "$HOLDFAST" layers plan.toml --format compose --exec -- ./docker compose '{layers}' up -d; }

expect_code 0 naive
[ "$(cat started)" = 'compose -f base.yml -f mounts.yml up -d' ] || fail 'the naive function has become better'
rm started
expect_code 65 safe
expect_stderr_contains "'overlays'"
[ ! -e started ] || fail 'it was started without the hardening overlay'

echo 'exit 0' | script inventory
expect_code 0 safe
[ "$(cat started)" = 'compose -f base.yml -f mounts.yml -f hardening.yml up -d' ] || fail 'another list'
