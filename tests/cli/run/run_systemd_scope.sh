#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The documented way for an ordinary user without a control group: below `systemd-run --user --scope -p Delegate=yes` a
# run has one, so a killed supervisor leaves a tree whose end `stop` can prove. A real manager of a user is started here.
# label: system
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount what the manager needs, and become another user'
command -v systemd-run >/dev/null || skip 'there is no systemd-run'
[ -x /lib/systemd/systemd ] || skip 'there is no systemd'
unshare -m true 2>/dev/null || skip 'no mount namespaces can be made here'
if [ -z "${HF_SCOPE-}" ]; then
  cd /
  remove_scratch
  HF_SCOPE=1 exec unshare -m --propagation private sh "$this_test"
fi

# As where systemd was booted, in this namespace alone; the user has the group, as he has his user@.service.
user='setpriv --reuid=daemon --regid=daemon --clear-groups --inh-caps=-all --bounding-set=-all'
mount -t tmpfs none /run && mkdir -p /run/systemd/system
mount -t tmpfs none /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup || skip 'no cgroup2 can be mounted'
group=/sys/fs/cgroup/holdfast-test-$$
mkdir -p "$group/manager" "$group/caller" || skip 'no control group can be made'
manager=
end() {
  [ -z "$manager" ] || { kill "$manager" 2>/dev/null && wait "$manager"; } || :
  echo $$ >/sys/fs/cgroup/cgroup.procs
  [ ! -e "$group/cgroup.kill" ] || echo 1 >"$group/cgroup.kill"
  find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || :
  remove_scratch
}
trap end EXIT
chown -R daemon "$group" "$scratch"
XDG_RUNTIME_DIR=$scratch/runtime
XDG_CONFIG_HOME=$scratch/config
export XDG_RUNTIME_DIR XDG_CONFIG_HOME
unset DBUS_SESSION_BUS_ADDRESS
mkdir -m 700 "$XDG_RUNTIME_DIR"
chown daemon "$XDG_RUNTIME_DIR"
$user test -x "$HOLDFAST" || skip "an ordinary user cannot reach $HOLDFAST"
echo $$ >"$group/caller/cgroup.procs"
# shellcheck disable=SC2016,SC2086  # of the inner shell; words
sh -c 'echo $$ >"$1/manager/cgroup.procs" && shift && exec "$@"' sh "$group" \
  $user /lib/systemd/systemd --user --log-target=console --show-status=no </dev/null >"$scratch/log" 2>&1 &
manager=$!
tries=0
until $user systemctl --user show-environment >/dev/null 2>&1; do
  kill -0 "$manager" 2>/dev/null || skip "no manager can be started here: $(tail -n 3 "$scratch/log")"
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || skip "the manager does not answer: $(tail -n 3 "$scratch/log")"
done

as_user() { $user "$@"; }
scope() { as_user systemd-run --user --scope -q -p Delegate=yes "$@"; }
expect_code 7 scope "$HOLDFAST" run --name one --json -- sh -c 'exit 7'
expect_json .containment cgroup

# What hides from everything else does not hide from the group.
# shellcheck disable=SC2016  # of the command
expect_code 0 scope "$HOLDFAST" run --name two --detach -- sh -c 'setsid env -i sleep 1000 & echo $! >hidden; exec sleep 1000'
tries=0
until [ -s hidden ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 1000 ] || fail 'it does not come up'
  sleep 0.02
done
kill -s KILL "$(record two .supervisor.pid)"
expect_code 0 as_user "$HOLDFAST" wait two --until orphaned --timeout 20
expect_code 0 as_user "$HOLDFAST" stop two --json
expect_json '.outcome // .sessions[0].outcome' killed
# It may be a zombie until process 1 of the machine takes its status.
state=$(awk '{ print $3 }' "/proc/$(cat hidden)/stat" 2>/dev/null || :)
case $state in '' | Z | X) ;; *) fail "somebody hid: $state" ;; esac
