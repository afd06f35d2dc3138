# SPDX-License-Identifier: Apache-2.0
#
# Reads the JUnit report of ctest; prints "PASSED FAILED SKIPPED", or with -v list=1 each skipped test with
# its reason. ctest files a test that it could not start under "notrun", as it does a skipped one: only
# those whose test asked to be skipped count as skipped here, the others failed.
#
# A GoogleTest program is one test of ctest; its TESTs count one by one, by what it says at its end. On the
# `old_kernel` that denies calls, those that need such a call leave themselves out; they run elsewhere.
function attribute(name,   text) {
  if (!match($0, name "=\"[^\"]*\"")) return ""
  text = substr($0, RSTART, RLENGTH)
  sub(/^[^"]*"/, "", text)
  sub(/"$/, "", text)
  return text
}
function plain(text) {
  gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
  gsub(/&apos;/, "'", text); gsub(/&amp;/, "\\&", text)
  gsub(/^[ \t]+|[ \t\r]+$/, "", text)
  return text
}
/<testcase / {
  name = attribute("name"); status = attribute("status"); asked = 0; reason = ""
  good = bad = left_out = 0
}
/^\[  PASSED  \] [0-9]+ tests?\./ { good += $4 }
/^\[  FAILED  \] [0-9]+ tests?, listed below/ { bad += $4 }
name ~ /^old_kernel/ && /SKIPPED/ { next }
/^\[  SKIPPED \] [0-9]+ tests?, listed below/ { left_out += $4 }
list && /^\[  SKIPPED \] [A-Za-z]/ && !/ ms\)/ { printf "  skipped: %s: %s\n", name, $4 }
/<skipped / && attribute("message") ~ /^SKIP_/ { asked = 1 }
/SKIP: / { if (reason == "") { reason = $0; sub(/.*SKIP: /, "", reason) } }
after_skipped { if (reason == "") reason = $0; after_skipped = 0 }  # GoogleTest: "file:1: Skipped", reason
/: Skipped\r?$/ { after_skipped = 1 }
/<\/testcase>/ {
  if (good + bad + left_out > 0 && (status == "run" || bad > 0)) {
    passed += good; failed += bad; skipped += left_out
  } else if (status == "run") passed++
  else if (status == "disabled" || asked) {
    skipped++
    if (list) printf "  skipped: %s: %s\n", name, reason == "" ? "no reason given" : plain(reason)
  } else failed++
}
END { if (!list) print passed + 0, failed + 0, skipped + 0 }
