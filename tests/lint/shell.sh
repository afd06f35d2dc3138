#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs shellcheck over every shell script: *.sh, and the scripts without a suffix that start with #!/bin/sh.
#
# For every script, shellcheck reads again what the script sources, and that takes most of the time. So two of it
# run at once, and build/lint/shell remembers the clean scripts, each with the sums of all that it was judged by. A
# script is checked again when it changes, or a file that it may source, or the rules.
. "$(dirname -- "$0")/lib.sh"
need_tool shellcheck
need_tool sha256sum
work=$(mktemp -d) || exit 70
trap 'rm -rf "$found" "$work"' EXIT
memory=build/lint/shell

{ tree -name '*.sh'
  tree ! -name '*.*' | each sh -c 'grep -aHnE -m 1 "^#! */bin/(sh|bash)" "$@" || true' sh |
    sed -n 's|^\./\(.*\):1:#!.*|\1|p'
  ! [ -f .ci/run ] || echo .ci/run; } | sort -u >"$work/scripts"

# The rules: the version, the options, the rc files, and this lint.
rules=$({ shellcheck --version
  echo "${SHELLCHECK_OPTS-}"
  cat "$here/shell.sh"
  tree \( -name .shellcheckrc -o -name shellcheckrc \) | each sha256sum; } | sha256sum)
rules=${rules%% *}

# For each script a line: its name, the rules, its sum, and the sums of the files that it may source, and those that
# they may source. That is every file of the tree whose name stands on a line that looks like one with a `.` or
# `source` in it: rather too many than one too few.
sums() { tree -name '*' | tr '\n' '\0' | xargs -0 sha256sum 2>/dev/null; }
sums >"$work/sums"
awk -v rules="$rules" '
  function base(path) { sub(/.*\//, "", path); return path }
  # Notes in sources[path] the files that the file names, divided by newlines.
  function look(path, line, words, n, i) {
    sources[path] = ""
    while ((getline line <("./" path)) > 0) {
      if (line !~ /(^|[^A-Za-z0-9_.])(\.|source)[ \t]|shellcheck[ \t].*source/) continue
      n = split(line, words, /[^A-Za-z0-9_.-]+/)
      for (i = 1; i <= n; i++) if (words[i] in named) sources[path] = sources[path] named[words[i]]
    }
    close("./" path)
  }
  function gather(path, list, n, i) {
    if (path in seen) return
    seen[path]
    key = key " " path "=" sum[path]
    if (!(path in sources)) look(path)
    n = split(sources[path], list, "\n")
    for (i = 1; i < n; i++) gather(list[i])
  }
  FNR == NR {
    path = substr($0, 67)  # behind the 64 digits of the sum and two blanks
    sum[path] = $1
    named[base(path)] = named[base(path)] path "\n"
    next
  }
  {
    split("", seen)
    key = $0 "\t" rules
    gather($0)
    print key
  }' "$work/sums" "$work/scripts" >"$work/keys"

# Only what is not known as clean is checked, in batches small enough that neither of the two waits for the other.
cat "$memory" >"$work/memory" 2>/dev/null
grep -Fxv -f "$work/memory" "$work/keys" | split -l 8 -a 3 - "$work/batch."
find "$work" -name 'batch.*' | sort | xargs -r -n 1 -P 2 sh -c '
  cut -f 1 "$1" | tr "\n" "\0" | xargs -0 shellcheck -x -P SCRIPTDIR -f gcc >"$1.out" 2>&1 && mv "$1" "$1.clean" && exit
  [ -s "$1.out" ] || echo "$(head -n 1 "$1" | cut -f 1):1: shellcheck failed without a word" >"$1.out"' sh
find "$work" -name 'batch.*.out' | sort | xargs -r cat >>"$found"

# What changed meanwhile was not judged by its sum, so it is not remembered. Whoever may not write into the tree does
# without.
sums >"$work/after"
grep -Fxv -f "$work/after" "$work/sums" | sed 's/^.\{66\}\(.*\)/ \1=/' >"$work/changed"
mkdir -p build/lint 2>/dev/null && next=$(mktemp "$memory.XXXXXX" 2>/dev/null) && {
  grep -Fx -f "$work/memory" "$work/keys"
  find "$work" -name 'batch.*.clean' | sort | xargs -r cat | grep -Fv -f "$work/changed"
  :  # no new line is no failure
} >"$next" && mv "$next" "$memory"
verdict
