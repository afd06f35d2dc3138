#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The judges of the damage scoreboard see damage: a program that stands in for holdfast, and writes as a redirection
# does, holds no lock and kills by number, is found out.
# label: system
. "$(dirname -- "$0")/damage.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
need_faults
cat >naive <<'END'
#!/bin/bash
# As much of the command line as the scoreboard uses, done as scripts do it.
verb=$1; shift
case $verb in
  write) file=$1; while [ "$1" != -- ]; do shift; done; shift; "$@" >"$file" ;;
  update) n=$(cat "$1"); read -rt 0.1 <> <(:); echo $((n + 1)) >"$1" ;;  # long enough to be overtaken
  lock) while [ "$1" != -- ]; do shift; done; shift; "$@" ;;
  identify) echo "$1" ;;
  kill) kill "$(cat "${1#@}")" ;;
  run) while [ "$1" != -- ]; do shift; done; shift; timeout 1 "$@" ;;
  block) sed -i '/^# BEGIN managed$/,/^# END managed$/d' "$2" && printf '# BEGIN managed\nnew rule\n# END managed\n' >>"$2" ;;
  *) exit 64 ;;
esac
END
chmod 755 naive
faults=killed_at_each_step,disk_full,planted_link,two_writers,stale_lock_recovered,recycled_pid,children_at_deadline
faults=$faults,malformed_markers
HOLDFAST=$PWD/naive
export HOLDFAST
expect_code 1 "$scoreboard" --quick --contestant holdfast --strict --only "$faults" --json result
jq -r '.faults[] | .cells[] as $cell | "\(.name): \($cell.verdict) (\($cell.why))"' <result >verdicts
! grep -v ': \(silently \)\?damaged (' verdicts || fail 'not seen'
[ "$(wc -l <verdicts)" -eq 8 ] || fail 'not one verdict for each fault'
