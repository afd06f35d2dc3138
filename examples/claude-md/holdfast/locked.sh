#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# locked.sh COMMAND…: an edit of CLAUDE.md under its lock. The whole policy of the hooks is here:
#
#   wait 5 s, then go on without the lock, with `lock.fail_open` on record before;
#   all of it, wait and edit, has 25 s, below what the host allows; an edit that hangs then is ended, tree and all;
#   a holder of ours that is silent for 30 s (stopped, asleep) loses the lock, and its late edits are refused;
#   a holder that is not ours, and was seen to hold it for 30 s, is presumed dead, on record;
#   the host gets 0, or 2 and the reason. COMMAND's own code passes, so COMMAND ends with 0 or 2, too.
set -eu
: "${HOLDFAST:=holdfast}" "${CLAUDE_MD_WAIT:=5s}" "${CLAUDE_MD_TTL:=30s}" "${CLAUDE_MD_BUDGET:=25s}"

exec "$HOLDFAST" lock --hook --budget "$CLAUDE_MD_BUDGET" --file "${CLAUDE_PROJECT_DIR:-.}/CLAUDE.md" \
  -w "$CLAUDE_MD_WAIT" --fail-open timeout --ttl "$CLAUDE_MD_TTL" --on-expired replace \
  --presume-dead "$CLAUDE_MD_TTL" --reason "${0##*/} $1" -- "$@"
