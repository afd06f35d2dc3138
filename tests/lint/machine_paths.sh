#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# No path of somebody's machine in the tree: it would work there only. (The brackets keep this file from
# matching itself.)
. "$(dirname -- "$0")/lib.sh"

tree -name '*' | xargs grep -InE '(^|[^A-Za-z0-9_.-])/(wor[k]|roo[t])/' /dev/null | report 'a path of one machine'
verdict
