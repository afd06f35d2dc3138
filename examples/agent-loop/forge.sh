# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# How the scripts of this loop talk to the forge. Sourced, with FORGE_URL and FORGE_REPO in the environment.
#
# ask METHOD PATH [JSON]: the answer, which is one JSON value, into $answer. The exit code is holdfast's own:
#   0   it answered, and did it
#   1   it answered that it will not (4xx): that is definite
#   69  anything else: no answer, a cut one, a 5xx, something that is no JSON. What it did is not known.
set -eu
: "${FORGE_URL:?the address of the forge}" "${FORGE_REPO:?the address of its repository}"
answer=''

ask() {
  body=$(mktemp) || return 69
  code=$(curl -sS --max-time "${FORGE_PATIENCE:-20}" -o "$body" -w '%{http_code}' \
    -X "$1" ${3+--json "$3"} "$FORGE_URL$2") || code=none
  answer=$(jq -c . "$body" 2>/dev/null) || code=none
  rm -f -- "$body"
  case $code in
    2??) return 0 ;;
    4??) echo "$1 $2: $code: $answer" >&2; return 1 ;;
    *) echo "$1 $2: cannot tell ($code)" >&2; return 69 ;;
  esac
}

# field FILTER [JQ OPTION…]: of $answer. What jq does not understand is 69 too: under `set -e` the script ends with it, and
# not with a code that somebody would take for "no".
field() {
  filter=$1
  shift
  printf '%s\n' "$answer" | jq -r "$@" "$filter" || return 69
}
