# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# What the lints share. A lint is called as `sh LINT.sh [ROOT]`, prints a line `file:line: message` for each
# violation, and ends with `verdict`: exit 1 where there was one, else 0; 4 with `SKIP: reason` where
# its tool is missing. A line may be excused by a comment `// lint: NAME REASON` on it.

here=$(cd -P -- "$(dirname -- "$0")" && pwd)
cd -- "${1:-$here/../..}" || exit 70
found=$(mktemp) || exit 70
trap 'rm -f "$found"' EXIT

# tree FIND-ARGS…: the files of the tree, without build directories and the like.
tree() {
  find . \( -name .git -o -name 'build' -o -name 'build-*' -o -name node_modules -o -name __pycache__ \
            -o -name .cache \) -prune -o -type f "$@" -print | sed 's|^\./||' | sort
}

# each COMMAND…: runs COMMAND with the files on stdin as its last arguments, as many at once as fit, because a
# process for each file takes longer than the reading. The ./ keeps awk from taking a name with a = for an
# assignment. Some awks end at a file that they cannot read and leave out those behind it: that is a violation.
each() {
  sed 's|^|./|' | tr '\n' '\0' | xargs -0 -r "$@" || echo "tests/lint/lib.sh:1: $1 did not read all files" >>"$found"
}

# code NAME: for the files on stdin, their lines as `file:line:text`, comments and the insides of
# strings blanked, lines that a comment `// lint: NAME REASON` excuses blanked too.
code() { each awk -v waiver="$1" -f "$here/code.awk"; }

# report MESSAGE: reads `file:line:text`, notes each line as a violation.
report() { sed "s|^\([^:]*:[0-9]*\):.*|\1: $1|" >>"$found"; }

# test_names: the GoogleTests in the files on stdin, as `Suite.Test`.
test_names() {
  each sed -n -e "s/^TEST\(_F\|_P\)\{0,1\}(\([A-Za-z0-9]*\), *\([A-Za-z0-9]*\)).*/\2.\3/p" \
    -e "s/^RC_GTEST_PROP(\([A-Za-z0-9]*\), *\([A-Za-z0-9]*\),.*/\1.\2/p"
}

need_tool() {
  command -v "$1" >/dev/null 2>&1 && return 0
  echo "SKIP: $1 is not installed"
  exit 4
}

verdict() {
  [ -s "$found" ] || exit 0
  cat "$found"
  exit 1
}
