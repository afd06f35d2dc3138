#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where no control group can be made, doctor names what helps here: the user's manager of systemd if there is one,
# and a pid namespace in any case.
# label: system
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups

containment() {
  "$HOLDFAST" doctor --json >"$stdout" 2>"$stderr" || :
  jq -r '.findings[] | select(.check == "containment") | "\(.verdict) \(.says)"' <"$stdout"
}
unset XDG_RUNTIME_DIR
says=$(containment)
case $says in 'note '*'--contain pidns'*) ;; *) fail "says: $says" ;; esac
case $says in *systemd-run*) fail "names a manager that is not there: $says" ;; esac
mkdir -p runtime/systemd
: >runtime/systemd/private
XDG_RUNTIME_DIR=$PWD/runtime
export XDG_RUNTIME_DIR
says=$(containment)
case $says in *'systemd-run --user --scope -p Delegate=yes holdfast run'*'--contain pidns'*) ;; *) fail "says: $says" ;; esac
