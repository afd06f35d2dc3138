#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every example of the documents does what the page says: run_examples.py tells how they are written.
# sh examples.sh [DOCUMENT…]; without one, all of them but docs/cli, which is that of examples_cli.sh.
# label: system
set -eu
: "${HOLDFAST:=holdfast}"
export HOLDFAST
here=$(cd -P -- "$(dirname -- "$0")" && pwd)
root=$(cd -P -- "$here/../.." && pwd)
if ! command -v python3 >/dev/null; then
  echo 'SKIP: python3 is not installed'
  exit 4
fi
if [ $# -eq 0 ]; then
  set -- "$root"/README.md "$root"/docs/*.md
  for more in "$root"/docs/manual/*.md "$root"/examples/README.md "$root"/examples/*/README.md; do
    [ ! -f "$more" ] || set -- "$@" "$more"
  done
fi
exec python3 "$here/run_examples.py" --root "$root" -- "$@"
