# SPDX-License-Identifier: Apache-2.0
#
# C++ text for the lints: each line as `file:line:text`, with comments and the insides of string and
# character literals removed, so that prose never looks like code. #include lines keep their name.
# -v waiver=NAME blanks the lines that `// lint: NAME REASON` excuses.
# One awk reads many files, so each begins anew: an open comment ends with its file. The state is "code",
# "comment", or "raw" (inside R"delimiter(…)delimiter").
BEGIN { excuse = "// lint: " waiver " +[^ ]" }
FNR == 1 { state = "code"; file = FILENAME; sub(/^\.\//, "", file) }
{
  out = ""
  excused = waiver != "" && index($0, "// lint: ") && $0 ~ excuse
  rest = $0
  if (state == "code" && rest ~ /^[ \t]*#[ \t]*include/) {
    sub(/[ \t]*\/\/.*/, "", rest)
    out = rest
    rest = ""
  } else if (state == "code" && rest !~ /["'\/]/) {
    out = rest  # neither a literal nor a comment: most lines
    rest = ""
  }
  while (rest != "") {
    if (state == "comment") {
      end = index(rest, "*/")
      if (!end) break
      rest = substr(rest, end + 2); state = "code"
    } else if (state == "raw") {
      end = index(rest, terminator)
      if (!end) break
      rest = substr(rest, end + length(terminator)); state = "code"; out = out "\""
    } else if (match(rest, /^\/\//)) {
      break
    } else if (match(rest, /^\/\*/)) {
      rest = substr(rest, 3); state = "comment"; out = out " "
    } else if (match(rest, /^R"[^( ]*\(/)) {
      terminator = ")" substr(rest, 3, RLENGTH - 3) "\""
      rest = substr(rest, RLENGTH + 1); state = "raw"; out = out "\""
    } else if (match(rest, /^"([^"\\]|\\.)*"/)) {
      rest = substr(rest, RLENGTH + 1); out = out "\"\""
    } else if (match(rest, /^'([^'\\]|\\.[0-9a-fA-F]*)'/)) {
      rest = substr(rest, RLENGTH + 1); out = out "''"
    } else if (match(rest, /^[A-Za-z0-9_]['A-Za-z0-9_]*/)) {
      # Whole words and numbers at once: 1'000'000 holds no character literal. u8R"…" loses its prefix.
      word = substr(rest, 1, RLENGTH)
      if (word ~ /R$/ && substr(rest, RLENGTH + 1, 1) == "\"") {
        rest = substr(rest, RLENGTH)
      } else if (word !~ /^[0-9]/ && index(word, "'")) {
        n = index(word, "'")
        out = out substr(word, 1, n - 1); rest = substr(rest, n)
      } else {
        out = out word; rest = substr(rest, RLENGTH + 1)
      }
    } else if (match(rest, /^[^"'\/A-Za-z0-9_]+/)) {
      out = out substr(rest, 1, RLENGTH); rest = substr(rest, RLENGTH + 1)
    } else {
      out = out substr(rest, 1, 1); rest = substr(rest, 2)
    }
  }
  printf "%s:%d:%s\n", file, FNR, excused ? "" : out
}
