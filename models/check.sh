#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Verifies the models of the lock protocol and of the loop (README.md) with spin, exhaustively, and then each mutant:
# a model that cannot fail proves nothing. One line for each; exit 1 where a proof fails, a search is not complete or
# a mutant survives; 4 with `SKIP: reason` where spin is missing.
#
#   sh models/check.sh            all of it, two at a time
#   sh models/check.sh --trail MODEL -DX…   one run, with the steps that lead to its error
set -eu
export LC_ALL=C
here=$(cd -P -- "$(dirname -- "$0")" && pwd)
for tool in spin gcc; do
  command -v "$tool" >/dev/null 2>&1 || { echo "SKIP: $tool is not installed"; exit 4; }
done

cases() {
  cat <<'END'
proof  lock    -DN=3 -DKILLS=1
small  lock    -DN=2 -DROUNDS=2 -DKILLS=1
small  lock    -DN=2 -DKILLS=1 -DLEAK
proof  lock    -DN=3 -DKILLS=1 -DTOGETHER
small  lock    -DN=2 -DADMINS=1 -DKILLS=1 -DCOMMIT -DTOGETHER
proof  lock    -DN=2 -DLEASE -DCOMMIT -DKILLS=1 -DTOGETHER
proof  lock    -DN=3 -DADMINS=1
small  lock    -DN=2 -DADMINS=1 -DKILLS=1 -DCOMMIT
small  lock    -DN=2 -DADMINS=1 -DROUNDS=2
proof  lock    -DN=2 -DLEASE -DCOMMIT -DKILLS=1
proof  lock    -DN=3 -DLEASE -DFEW -DKILLS=1
small  shared  -DADMINS=1 -DKILLS=1
proof  shared  -DWRITERS=2 -DKILLS=1
small  reopen  -DGCS=1 -DKILLS=1
small  reopen  -DGCS=2
small  reopen  -DVANDAL -DGCS=1
small  reopen  -DVANDAL -DKILLS=1
proof  fence   -DCUTS=2
proof  fence   -DCUTS=2 -DLOST
proof  loop    -DVERIFY -DCRASHES=2 -DKILLS=1
proof  loop    -DVERIFY -DCRASHES=3
proof  loop    -DCRASHES=3
proof  loop    -DCRASHES=2 -DKILLS=1
proof  loop    -DVERIFY -DKILLS=2
proof  loop    -DVERIFY -DCRASHES=1 -DCUTS=1
proof  loop    -DCRASHES=1 -DCUTS=1
proof  loop    -DVERIFY -DKILLS=1 -DCUTS=1
mutant lock    -DN=2 -DKILLS=1 -DM_NO_IDENTITY
mutant lock    -DN=2 -DKILLS=1 -DM_SAME_GEN
mutant lock    -DN=2 -DADMINS=1 -DM_NO_REREAD
mutant lock    -DN=2 -DADMINS=1 -DTOGETHER -DM_NO_REREAD
mutant lock    -DN=2 -DKILLS=1 -DTOGETHER -DM_NO_IDENTITY
mutant lock    -DN=2 -DKILLS=1 -DLEAK -DTOGETHER
mutant lock    -DN=2 -DM_LIFE_FIRST
mutant lock    -DN=2 -DKILLS=1 -DLEAK -DM_FREE_FIRST
mutant lock    -DN=2 -DROUNDS=2 -DM_CANCEL_FORGETS
mutant lock    -DN=2 -DADMINS=1 -DCOMMIT -DM_RELEASE_ANY
mutant lock    -DN=2 -DADMINS=1 -DM_ADMIN_ANY
mutant lock    -DN=2 -DADMINS=1 -DM_ADMIN_EPOCH
mutant lock    -DN=2 -DADMINS=1 -DM_NO_MOVED
mutant lock    -DN=2 -DADMINS=1 -DM_MOVED_LATE
mutant lock    -DN=2 -DADMINS=1 -DM_NO_GUARDED_LOOK
mutant lock    -DN=2 -DADMINS=1 -DKILLS=1 -DM_BUMP_AFTER
mutant lock    -DN=2 -DLEASE -DM_NO_VERIFY
mutant lock    -DN=2 -DLEASE -DCOMMIT -DM_COMMIT_OUTSIDE
mutant lock    -DN=3 -DLEASE -DFEW -DM_NO_EPOCH
mutant lock    -DN=3 -DLEASE -DFEW -DKILLS=1 -DM_TAKE_QUIET
mutant shared  -DADMINS=1 -DM_QUIET_OLD_EPOCH
mutant shared  -DADMINS=1 -DM_LAST_RAISES
mutant shared  -DKILLS=1 -DM_NO_SLOTS
mutant shared  -DKILLS=1 -DM_BYTE_IS_LIFE
mutant shared  -DKILLS=1 -DM_SLOT_REUSED
mutant shared  -DM_FIRST_FREES
mutant shared  -DM_SAME_GEN
mutant reopen  -DVANDAL -DM_NO_COMPARE
mutant reopen  -DVANDAL -DM_COMPARE_FIRST
mutant reopen  -DVANDAL -DM_BASE_AT_BIRTH
mutant reopen  -DVANDAL -DKILLS=1 -DM_MARK_LATER
mutant reopen  -DGCS=1 -DKILLS=1 -DM_RETIRED_STAYS
mutant reopen  -DGCS=1 -DM_GC_ANY
mutant fence   -DM_FREE_IS_FRESH
mutant fence   -DM_SLOTS_ONLY
mutant fence   -DLOST -DM_HOME_UNSYNCED
mutant loop    -DVERIFY -DCRASHES=1 -DM_NO_FENCE
mutant loop    -DVERIFY -DCRASHES=1 -DM_NO_NAME_LOCK
mutant loop    -DVERIFY -DCRASHES=1 -DM_INTENT_LATE
mutant loop    -DVERIFY -DM_CANNOT_TELL_IS_NO
mutant loop    -DVERIFY -DM_CANNOT_TELL_IS_DONE
mutant loop    -DVERIFY -DM_EXIT_IS_DONE
mutant loop    -DVERIFY -DKILLS=1 -DM_LOST_IS_FAILED
mutant loop    -DKILLS=1 -DM_LOST_IS_FAILED
mutant loop    -DVERIFY -DKILLS=1 -DM_ORPHAN_IS_OVER
mutant loop    -DVERIFY -DKILLS=1 -DM_WAITS_FOR_RECORD
mutant loop    -DVERIFY -DCUTS=1 -DM_RESERVED_UNSYNCED
mutant loop    -DCUTS=1 -DM_RESERVED_UNSYNCED
END
}

# `small` is a proof over few states. There, and where an error is found (`mutant`), the search takes less time than the
# compiler takes to optimise it.
optimise=-O1
# Slots of the table of states, as a power of two. Fewer than there are states only makes it slower, not less complete.
slots=24

# verify MODEL FLAG…: leaves the verifier's answer in `answer`, in the current directory. Safety only: a
# lost wake-up is an end state in which somebody still sleeps.
verify() {
  model=$1
  shift
  cp -- "$here/$model.pml" model.pml
  spin -a "$@" model.pml >generate.log 2>&1 || { cat generate.log; return 1; }
  gcc "$optimise" -w -DSAFETY -DCOLLAPSE -DMEMLIM=1000 -o pan pan.c >compile.log 2>&1 || { cat compile.log; return 1; }
  ./pan -m100000 -n "-w$slots" >answer 2>&1 || { cat answer; return 1; }
}

fresh_directory() {
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/holdfast-models.XXXXXX")
  trap 'rm -rf -- "$scratch"' EXIT
  trap 'exit 130' HUP INT TERM
  cd -- "$scratch"
}

one_case() {
  kind=$1
  shift
  # A full table is 128 MB to clear, and an error is found after some thousand states.
  case $kind in
    small) kind=proof optimise=-O0 slots=22 ;;
    mutant) optimise=-O0 slots=18 ;;
  esac
  fresh_directory
  what="$kind $*"
  verify "$@" || { echo "FAILED   $what: it could not be verified"; return 1; }
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' answer)
  depth=$(sed -n 's/.*depth reached \([0-9]*\),.*/\1/p' answer)
  error=$(sed -n 's/^pan:1: \(.*\) (at depth.*/\1/p' answer)
  if grep -q 'errors: 0$' answer && ! grep -qE 'too small|not completed|out of memory|truncated' answer; then
    outcome=proof detail="$states states, depth $depth"
  elif [ -n "$error" ]; then
    outcome=mutant detail=$error
  else
    outcome=unfinished detail=$(head -n 3 answer)
  fi
  [ "$kind" = "$outcome" ] || { echo "FAILED   $what: $detail"; return 1; }
  echo "ok       $what: $detail"
}

case ${1-} in
  --case)
    shift
    one_case "$@"
    ;;
  --trail)
    shift
    fresh_directory
    verify "$@"
    grep -E '^pan:1|errors:' answer
    shift
    [ ! -f model.pml.trail ] || spin -t -p -g "$@" model.pml
    ;;
  '')
    cases | xargs -P 2 -L 1 sh "$here/check.sh" --case || exit 1
    ;;
  *)
    echo 'usage: check.sh [--trail MODEL -DX…]' >&2
    exit 64
    ;;
esac
