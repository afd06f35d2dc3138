#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# merged.sh NUMBER: is the work on an issue in main? 0 yes, 1 no, 69 cannot tell.
#
# Two witnesses are asked, the forge and the repository, and they must agree: a pull request that calls itself
# merged while main does not have its commit is "cannot tell", and so is the other way round.
. "$(dirname -- "$0")/forge.sh"
number=$1
ask GET "/pulls?head=issue-$number-fix" || exit 69
state=$(field '.[0].state // "none"')
sha=$(field '.[0].sha // empty')

work=$(mktemp -d) || exit 69
trap 'rm -rf -- "$work"' EXIT
git clone -q --bare -- "$FORGE_REPO" "$work/clone" || exit 69
contained=no
if [ -n "$sha" ]; then
  code=0
  git -C "$work/clone" merge-base --is-ancestor "$sha" main || code=$?
  case $code in
    0) contained=yes ;;
    1) ;;
    *) exit 69 ;;
  esac
fi

case $state,$contained in
  merged,yes) exit 0 ;;
  open,no | none,no) exit 1 ;;
  *) echo "the forge says '$state', and in main: $contained" >&2; exit 69 ;;
esac
