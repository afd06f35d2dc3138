#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the contestants of the scoreboard: the packages of packages.txt that are missing, and the modules of npm.txt
# into build/damage-npm. Needs root for the packages.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
modules=$here/../../build/damage-npm

missing=
while read -r package; do
  case $package in
    nodejs) ! command -v node >/dev/null || continue ;; # from wherever it came
    npm) ! command -v npm >/dev/null || continue ;;
  esac
  dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing="$missing $package"
done <"$here/packages.txt"
if [ -n "$missing" ]; then
  apt-get update -qq
  # shellcheck disable=SC2086 # a list of words
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
fi

mkdir -p "$modules"
# shellcheck disable=SC2046 # a list of words
npm install --prefix "$modules" --no-audit --no-fund --silent $(cat "$here/npm.txt")
