#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# is.sh NUMBER closed | is.sh NUMBER labelled LABEL: does an issue look like that? 0 yes, 1 no, 69 cannot tell.
. "$(dirname -- "$0")/forge.sh"
ask GET "/issues/$1" || exit 69
case $2 in
  closed) seen=$(field '.state == "closed"') ;;
  labelled) seen=$(field '.labels | index($wanted) != null' --arg wanted "$3") ;;
  *) exit 69 ;;
esac
case $seen in
  true) exit 0 ;;
  false) exit 1 ;;
  *) exit 69 ;;
esac
