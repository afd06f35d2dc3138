#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The heavy headers, nlohmann/json.hpp, CLI/ (CLI11), toml++/ and fmt/, are included only by the files of this list.
# No comment excuses a line: whoever needs one more file adds it here, where a reviewer sees it.
. "$(dirname -- "$0")/lib.sh"

# Each costs a second or more for every file that includes it; answers are built with format/json/json.h.
allowed='
src/cli/frame/parse_cli11.cc CLI/
src/file/replace/json_check.cc nlohmann/json.hpp
src/format/journal/event_type.cc nlohmann/json.hpp
src/format/json/json.cc nlohmann/json.hpp
src/format/json/json_fault.cc nlohmann/json.hpp
src/format/file/ledger_property_test.cc nlohmann/json.hpp
src/format/json/record_fixture.h nlohmann/json.hpp
src/format/text/toml.cc toml++/
src/journal/write/json_events.h nlohmann/json.hpp
'

tree -path './src/*' \( -name '*.cc' -o -name '*.h' \) | code '' |
  grep -E '^[^:]*:[0-9]*:[ \t]*#[ \t]*include[ \t]*[<"](nlohmann/json\.hpp|CLI/|toml\+\+/|fmt/)' |
  awk -F: -v allowed="$allowed" '
    BEGIN {
      n = split(allowed, entries, "\n")
      for (i = 1; i <= n; i++) if (entries[i] != "") unused[entries[i]] = listed[entries[i]] = 1
    }
    {
      header = $3; sub(/^[^<"]*[<"]/, "", header)
      if (header ~ /^nlohmann/) header = "nlohmann/json.hpp"; else sub(/\/.*/, "/", header)
      entry = $1 " " header
      delete unused[entry]
      if (!(entry in listed)) print $1 ":" $2 ": includes " header ", a heavy header; see tests/lint/heavy_headers.sh"
    }
    END {
      for (i = 1; i <= n; i++) if (entries[i] in unused) {
        split(entries[i], part, " ")
        print part[1] ":1: does not include " part[2] ": take it off the list of tests/lint/heavy_headers.sh"
      }
    }' >>"$found"
verdict
