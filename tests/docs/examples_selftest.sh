#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_examples.py sees what is wrong: each page here has one fault, and the answer names document, line, expected and actual.
# label: system
set -eu
here=$(cd -P -- "$(dirname -- "$0")" && pwd)
command -v python3 >/dev/null || { echo 'SKIP: python3 is not installed'; exit 4; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/holdfast-test.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT
mkdir "$scratch/docs"
cd -- "$scratch"
fence='```'

fail() { printf 'FAIL: %s\n' "$*" >&2; cat out >&2; exit 1; }
# page LANGUAGE: stdin becomes docs/page.md, one block from line 3 on.
page() { { printf 'Text.\n%s%s\n' "$fence" "$1"; cat; printf '%s\n' "$fence"; } >docs/page.md; }
run() { code=0; HOLDFAST=true python3 "$here/run_examples.py" --root "$scratch" "$@" >out 2>&1 || code=$?; }
good() { run docs/page.md; [ "$code" -eq 0 ] || fail "code $code: $1"; }
bad() { run docs/page.md; [ "$code" -eq 1 ] || fail "code $code, not 1: $1"; grep -qF -e "$1" out || fail "lacks: $1"; }

# What is right passes: a status, a wildcard, any lines, a continuation, a here-document, what carries on.
page console <<'END'
$ x=5; cd /; pwd
/
$ echo "$x"; false
5
$ echo $?
1
$ seq 1 9
1
…
9
$ echo "pid $$ is it"
pid … is it
$ for i in a b; do
>   echo $i
> done
a
b
$ echo one \
  two
one two
$ cat <<E
> a
> E
a
END
good 'a page that is right'
grep -q '8 commands' out || fail 'not 8 commands'

page console <<'END'
$ echo one
one
$ echo two
three
END
bad 'docs/page.md:5: not as it says'
grep -q '  expected: three' out || fail 'no expected'
grep -q '  actual:   two' out || fail 'no actual'

printf '$ true\nsomething\n' | page console
bad 'actual:   (nothing)'
printf '$ false\n' | page console
bad 'status:   1, not 0'
printf '$ echo a; false\na\n$ echo b; echo $?\nb\n0\n' | page console
bad 'docs/page.md:3: not as it says'
printf '$ false || echo $?\n1\n$ false; echo $?\n1\n' | page console
good 'a status that is shown'
printf '$ seq 3\n1\n2\n' | page console
bad 'expected: 1'
printf '$ seq 3\n1\n…\n4\n' | page console
bad 'docs/page.md:3'
printf '$ echo "a  b"\na b\n' | page console
bad 'docs/page.md:3'
printf '# a comment\ntrue\nfalse; true\nfalse\ntrue\n' | page sh
bad 'docs/page.md:6: not as it says'
printf 'exit 0\n' | page sh
bad 'it ended the shell'
printf 'if true; then\n' | page sh
bad 'docs/page.md:3: this is not a whole command'
{ printf '<!-- not run: -->\n'; printf '%ssh\nfalse\n%s\n' "$fence" "$fence"; } >docs/page.md
bad 'without a word behind it'
printf '%ssh\ntrue\n' "$fence" >docs/page.md
bad 'a fence that is not closed'

# What a block of shell prints, all of it together, stands in the block below.
cat >docs/page.md <<END
${fence}sh
echo one
# a comment
echo two
$fence

${fence}output
one
two
$fence
END
good 'an output block'
sed -i 's/^two/three/' docs/page.md
bad 'docs/page.md:8: not as it says'
printf 'Text.\n%soutput\none\n%s\n' "$fence" "$fence" >docs/page.md
bad 'an output block without'

# Marks: not run, needs, file, prepare; and what is not shell is not run.
cat >docs/page.md <<END
<!-- not run: shown only -->
${fence}sh
false
$fence
<!-- needs: no-such-program -->
${fence}sh
false
$fence
<!-- file: sub.txt, 600 -->
${fence}toml
a = 1
$fence
<!-- prepare
echo 'echo hi' >agent
chmod 755 agent
-->
${fence}console
$ cat sub.txt; ./agent; stat -c %a sub.txt
a = 1
hi
600
$fence
${fence}
false
$fence
END
run docs/page.md
[ "$code" -eq 4 ] || fail "code $code, not 4: what is missing is no success"
grep -q '1 blocks shown only' out || fail 'it does not tell what is shown only'
grep -q '^SKIP: docs/page.md: .*: 1 need no-such-program$' out || fail 'it does not tell what was not run'
run --also 'shown only' docs/page.md
[ "$code" -eq 1 ] || fail "code $code, not 1: --also runs it"
cp docs/page.md README.md
run README.md
[ "$code" -eq 1 ] || fail 'hidden preparation in the README'
grep -q 'no hidden preparation' out || fail 'another reason'

# What an example leaves behind is ended with it, also out of its session.
printf 'setsid sh -c "echo \\$\\$ >%s/pid; exec sleep 600" &\nuntil [ -s %s/pid ]; do :; done\n' "$scratch" "$scratch" | page sh
good 'a process that stays'
! kill -0 "$(cat pid)" 2>/dev/null || fail 'a process is left'

# One bad page of two is bad.
printf 'true\n' | page sh
cp docs/page.md docs/good.md
printf '<!-- needs: no-such-program -->\n%ssh\ntrue\n%s\n' "$fence" "$fence" >docs/needy.md
run docs/good.md docs/needy.md docs/good.md
[ "$code" -eq 4 ] || fail "code $code, not 4: one of three is not run"
printf 'false\n' | page sh
run docs/page.md docs/needy.md
[ "$code" -eq 1 ] || fail "code $code, not 1: a fault weighs more than what is missing"
run docs/page.md docs/good.md
[ "$code" -eq 1 ] || fail 'one bad page of two is not enough'
grep -q 'docs/good.md: 1 commands, as it says' out || fail 'the other page was not run'
