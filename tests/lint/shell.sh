#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs shellcheck over every shell script: *.sh, and the scripts without a suffix that start with #!/bin/sh.
. "$(dirname -- "$0")/lib.sh"
need_tool shellcheck

{ tree -name '*.sh'
  tree ! -name '*.*' | while IFS= read -r file; do
    ! head -n 1 "$file" | grep -aqE '^#! */bin/(sh|bash)' || echo "$file"
  done
  ! [ -f .ci/run ] || echo .ci/run; } | sort -u |
  xargs -r shellcheck -x -P SCRIPTDIR -f gcc >>"$found" 2>&1
verdict
