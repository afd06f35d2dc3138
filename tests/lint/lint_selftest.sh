#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A lint that never fails proves nothing. This plants one violation of each kind in a small clean tree and
# expects the lint to name it; each lint must also pass on the clean tree.
set -eu
lints=$(cd -P -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# Made once, and copied for each test.
make_clean_tree() {
  mkdir -p "$work/clean/src/base" "$work/clean/src/os/sys" "$work/clean/src/cli" "$work/clean/docs"
  cd "$work/clean"
  printf 'base 0\nos 1 sys\nfile 2 replace\nlock 3\ncli 7 frame\ntesting 9\n' >src/levels.txt
  # Everything here looks like a violation and is none: prose, strings, members, waivers.
  cat >src/base/clean.cc <<'END'
// printf("x"); ::open("x"); exit(1); #include <unistd.h>; sleep(3)
/* std::cout << "x";
   abort(); */
#include "base/clean.h"
#include <string>
const char* text = "::open(\"x\") printf(1) /* not a comment";
const char* raw = R"(exit(1); ::close(2)
std::cerr << abort())";
constexpr int kMany = 1'000'000; const char kQuote = '"'; const char kApostrophe = '\'';
int f(Log& log) { log.printf("x"); process.exit(1); return my_exit(2) + ::holdfast::g(3); }
void g() { std::abort(); }  // lint: no_output a broken invariant, nothing can be returned
END
  echo '#pragma once' >src/base/clean.h
  printf '#include "os/sys.h"\nint f() { return sys().open("x"); }\n#ifdef _WIN32\n#endif\n' >src/os/sys/file.cc
  printf 'int real(const char* p) { return ::open(p, 0); }\n' >src/os/sys/sys_linux.cc
  printf '# Title\n[code](../src/base/clean.cc) [web](https://example.org) `[x](gone.md)`\n' >docs/a.md
  # The files that may include a heavy header must do so.
  sed -n "/^allowed='/,/^'/s/^src/&/p" "$lints/heavy_headers.sh" | while read -r file header; do
    mkdir -p "$(dirname "$file")"
    echo "#include <$header>" >>"$file"
  done
  printf '| claim | limit | `Clean.Holds` |\n' >docs/guarantees.md
  mkdir -p docs/design
  printf '**L3 A rule.** See `base/clean.h` and `x_test.cc`.\n' >docs/design/rules.md
  printf 'TEST(Clean, Holds) {}\n' >src/base/clean_test.cc
  mkdir -p tests/pairs tests/cli
  printf '#!/bin/sh\ntrue\n' | tee tests/pairs/meets.sh >tests/cli/holds.sh
  cat >tests/pairs/table.txt <<'END'
# a x a | nothing here | counts
feature a: one
feature b c: another
feature d: a third
invariant hang: a wait without an end
invariant act lost: no trace
a x a | hang | meets, Clean.Holds
a x b c | hang, act lost | holds
d x a | - | shares nothing
b c x b c | hang | none: as a x b c
b c x d | act lost | holds, Clean.Holds
d x d | hang | none: why
END
  printf '#!/bin/sh\n. "$(dirname -- "$0")/tool.inc"\necho "$1" "$color"\n' >tool.sh
  printf '# shellcheck shell=sh\ncolor=red\n' >tool.inc
}
make_clean_tree

clean_tree() {
  rm -rf "$work/tree"
  cp -R "$work/clean" "$work/tree"
  cd "$work/tree"
}

# passes LINT, on the clean tree
passes() {
  clean_tree
  if ! output=$(sh "$lints/$1.sh" "$work/tree" 2>&1); then
    printf '%s fails on a clean tree:\n%s\n' "$1" "$output"
    failures=$((failures + 1))
  fi
}

# catches LINT FILE TEXT: with TEXT appended to FILE, the lint must fail and name the file
catches() {
  clean_tree
  mkdir -p "$(dirname "$2")"
  printf '%b\n' "$3" >>"$2"
  catches_now "$@"
}

# catches_now LINT FILE WHAT: on the tree as it is, the lint must fail and name the file
catches_now() {
  status=0
  output=$(sh "$lints/$1.sh" "$work/tree" 2>&1) || status=$?
  case $status:$output in
    1:*"$2:"[0-9]*) ;;
    4:*) printf '%s\n' "$output" ;;
    *)
      printf '%s misses in %s: %s\n%s\n' "$1" "$2" "$3" "$output"
      failures=$((failures + 1))
      ;;
  esac
}

lines() { awk -v n="$1" 'BEGIN { while (n-- > 0) print "//" }'; }

for lint in "$lints"/*.sh; do
  name=${lint##*/}
  case $name in lib.sh | lint_selftest.sh | symbols.sh | generated.sh | format.sh) ;; *) passes "${name%.sh}" ;; esac
done

catches layering src/base/up.cc '#include "os/file/file.h"'
catches layering src/lock/up.h '#include "cli/x.h"  // upwards'
catches layering src/os/sys/side.cc '#include "testing/fault.h"'
catches layering src/base/bare.cc '#include "clean.h"'
catches layering src/os/loose.cc 'int x;'
catches layering src/os/odd/x.h 'int x;'
catches layering src/base/sys/x.h 'int x;'
catches layering src/rogue/x.cc '#include "base/clean.h"'

catches os_only src/base/a.cc '#include <unistd.h>'
catches os_only src/lock/a.h '#include <sys/file.h>'
catches os_only src/cli/a.cc '  #  include <windows.h>'
catches os_only src/base/a.cc '#include <cerrno>'
catches os_only src/base/a.cc '#include <filesystem>'
catches os_only src/lock/a.cc '#include <cstdio>'
catches os_only src/lock/a.cc 'int f() { return ::open("x", 0); }'
catches os_only src/lock/a.cc 'auto f = std::fopen("x", "r");'
catches os_only src/lock/a.cc 'auto now = std::chrono::steady_clock::now();'

catches sys_table src/os/a_linux.cc 'int f() { return ::fsync(3); }'
catches sys_table src/os/a_win.cc 'BOOL f() { return ::CloseHandle(h); }'

catches platform_if src/lock/a.cc '#ifdef _WIN32\n#endif'
catches platform_if src/base/a.h '#if defined(__linux__) && 1\n#endif'
catches platform_if src/cli/a.cc '#  elif _MSC_VER > 1900\n#endif'

catches file_size src/base/long.cc "$(lines 601)"
catches file_size src/base/long.h "$(lines 201)"
catches file_size src/base/long_test.cc "$(lines 501)"
catches file_size src/cli/lock/cmd_long.cc "$(lines 151)"

catches no_output src/base/a.cc 'void f() { std::printf("x"); }'
catches no_output src/base/a.cc 'void f() { std::cerr << 1; }'
catches no_output src/base/a.cc 'void f() { fmt::print("x"); }'
catches no_output src/os/a.cc 'void f() { exit(1); }'
catches no_output src/lock/a.cc 'void f() { std::abort(); }'
catches no_output src/lock/a.cc 'void f() { std::terminate(); }'
catches no_output src/lock/a.cc 'void f() { std::abort(); }  // lint: no_output'

catches rules src/base/a.cc '// as rules L3 and L4 say'
catches rules src/base/a.cc '// (rule\n// P5).'
catches rules src/base/a.h '// See base/gone.h.'
catches rules docs/b.md 'See `gone.cc`.'

catches no_iostream src/base/a.cc '#include <iostream>'
catches heavy_headers src/cli/b.cc '#include <CLI/CLI.hpp>'
catches heavy_headers src/base/a.h '#include <nlohmann/json.hpp>'
catches heavy_headers src/base/a_test.cc '#  include "toml++/toml.h"  // quoted'
catches heavy_headers src/base/a.cc '#include <fmt/format.h>  // lint: heavy_headers no comment excuses it'
catches heavy_headers src/format/json/json.cc '#include <toml++/toml.h>'
clean_tree
echo '// #include <nlohmann/json.hpp>' >src/format/json/json.cc
catches_now heavy_headers src/format/json/json.cc 'it no longer includes what it may'
rm src/format/json/json.cc
catches_now heavy_headers src/format/json/json.cc 'it is gone'

# One awk reads all files: what is open at the end of one is not open in the next.
clean_tree
echo '/* open' >src/base/a.cc
echo '#include <iostream>' >src/base/b.cc
catches_now no_iostream src/base/b.cc 'behind a file with an open comment'
catches no_sleep src/base/a_test.cc 'void f() { std::this_thread::sleep_for(1s); }'

catches causes src/base/causes.cc 'bool f(const Error& e) { return e.cause == "eio"; }'

catches guarantees docs/guarantees.md '| claim | limit | `Clean.Gone` |'
catches guarantees docs/guarantees.md '| claim | limit | `gone.sh` |'
catches guarantees docs/guarantees.md '| claim | limit | `hope` |'
catches guarantees docs/guarantees.md '\n| g | limit | test | Windows |\n|---|---|---|---|\n| claim | – | `Clean.Holds` | Wine |'
catches guarantees docs/guarantees.md '\n| g | limit | test | Windows |\n|---|---|---|---|\n| claim | – | `Clean.Holds` | by reading: the same code |'
catches guarantees docs/guarantees.md '\n| g | limit | test | Windows |\n|---|---|---|---|\n| claim | – | `Clean.Holds` | by reading (no such word): the same code |'
catches guarantees docs/guarantees.md '\n| g | limit | test | Windows |\n|---|---|---|---|\n| claim | – | `Clean.Holds` | Wine, mostly |'

# with_pair OLD NEW: the table, in which a line begins with OLD, has NEW in its place; nothing: the line is gone.
with_pair() {
  clean_tree
  awk -v old="$1" -v new="$2" 'index($0, old) != 1 { print; next } new != "" { print new }' tests/pairs/table.txt >changed
  mv changed tests/pairs/table.txt
  catches_now pairs tests/pairs/table.txt "$2 (was: $1)"
}
with_pair 'd x a' ''
with_pair 'd x a' 'a x a | hang | meets'
with_pair 'd x a' 'b c x a | hang | meets'
with_pair 'd x a' 'e x a | hang | meets'
with_pair 'd x a' 'd x a | hung | meets'
with_pair 'd x a' 'd x a | hang | gone'
with_pair 'd x a' 'd x a | hang | Clean.Gone'
with_pair 'd x a' 'd x a | hang | meets; open: more'
with_pair 'd x a' 'd x a | hang | '
with_pair 'd x a' 'd x a | | meets'
with_pair 'd x a' 'd x a | hang | none: '
with_pair 'd x a' 'd x a | hang | open: all of it'
with_pair 'a x a' 'a x a | hang | Clean.Holds'
with_pair 'd x a' 'd x a | hang | shares nothing'
with_pair 'd x a' 'd x a | - | meets'
with_pair 'd x a' 'd x a | hang'
with_pair 'd x a' 'd x a | hang | none: as a x e'
with_pair 'd x a' 'd x a | hang | none: as d x a'
with_pair 'feature d' 'feature d:'
with_pair 'feature b c' ''
clean_tree
rm tests/pairs/table.txt
catches_now pairs tests/pairs/table.txt 'it is gone'
clean_tree
output=$(sh "$lints/pairs.sh" "$work/tree")
case $output in
  '6 pairs of 3 features: 3 with tests, 2 without need, 1 sharing nothing') ;;
  *) printf 'pairs counts: %s\n' "$output"; failures=$((failures + 1)) ;;
esac

catches links docs/a.md 'see [it](gone.md)'
catches links docs/a.md 'see [it](/absolute.md)'
catches machine_paths docs/a.md "kept in /wor""k/main"
catches spelling docs/a.md 'recie''ve'
catches shell tool.sh 'rm -rf $1/x'
# What is remembered as clean is checked again when it changes, or what it sources, or the rules.
passes shell
echo 'rm -rf $1/x' >>tool.sh
catches_now shell tool.sh 'a script that was clean before'
catches_now shell tool.sh 'a script that was found faulty before'
passes shell
echo 'colour=red' >tool.inc
catches_now shell tool.sh 'an include that no longer sets what the script uses'
passes shell
echo 'enable=require-variable-braces' >.shellcheckrc
catches_now shell tool.sh 'a new rule'

if command -v clang-format-19 >/dev/null 2>&1; then
  catches format src/base/a.cc 'int   f( ){return 1;}'
fi

# The built-object lint: a library that calls past the table, and one that may.
if command -v c++ >/dev/null 2>&1 && command -v ar >/dev/null 2>&1; then
  clean_tree
  mkdir -p "$work/build/src/os"
  for name in file_linux sys_linux; do
    printf '#include <unistd.h>\nint %s() { return fsync(0); }\n' "$name" >"$name.cc"
    c++ -c "$name.cc" -o "$name.cc.o"
  done
  ar rc "$work/build/src/os/libhf_os.a" file_linux.cc.o sys_linux.cc.o
  output=$(sh "$lints/symbols.sh" "$work/tree" "$work/build" 2>&1) && output="passed: $output"
  [ "$output" = 'src/os/file_linux.cc:1: calls fsync past the call table of src/os' ] || {
    printf 'symbols: %s\n' "$output"
    failures=$((failures + 1))
  }
fi

[ "$failures" -eq 0 ]
