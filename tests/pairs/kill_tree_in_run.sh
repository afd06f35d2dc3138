#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Inside a run, `kill --tree` of one child ends that child and its orphans, and neither its siblings nor the caller.
. "$(dirname -- "$0")/../lib/lib.sh"
export HOLDFAST

mkfifo orphan orphaned
cat >child.sh <<'END'
setsid sh -c 'sh -c "echo \$\$ >orphan; exec sleep 60" &'
echo >orphaned
exec sleep 60
END
cat >agent.sh <<'END'
sh child.sh &
child=$!
"$HOLDFAST" identify "$child" >id
read -r orphan <orphan
read -r _ <orphaned
# In the middle of its exec nobody can see which run it is of.
until [ "$(cat "/proc/$orphan/comm")" = sleep ]; do :; done
sleep 60 &
sibling=$!
setsid sleep 60 &
leads_session=$!
"$HOLDFAST" kill @id --tree --grace 5s --json >said
echo "$?" >code
for one in child orphan sibling leads_session; do
  eval "pid=\$$one"
  case $(cut -d' ' -f3 "/proc/$pid/stat" 2>/dev/null) in '' | Z) echo "$one" >>over ;; esac
done
exit 0
END
expect_code 0 "$HOLDFAST" run --grace 1s -- sh agent.sh
cp said "$stdout"
[ "$(cat code)" -eq 69 ] || fail "kill --tree answered $(cat code)"
expect_json .evidence no-cgroup
[ "$(tr '\n' ' ' <over)" = 'child orphan ' ] || fail "ended: $(cat over)"
