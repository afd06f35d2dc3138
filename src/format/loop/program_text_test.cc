// SPDX-License-Identifier: Apache-2.0
#include "format/loop/program_text.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

// Words between blanks, `_` for a blank inside of one; the text of the item is `{t}` in the last.
bool takes_text(std::string_view line) {
  std::vector<std::string> words{""};
  for (const char c : line) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c == '_' ? ' ' : c;
    }
  }
  const std::string last = words.back();
  return is_program_text(words, words.size() - 1,
                         std::string_view(last).substr(0, last.find("{t}")));
}

TEST(ProgramText, EveryFormThatMakesTextAProgramIsKnown) {
  for (const char* line : {
           "sh -c {t}",
           "sh -c {t}_more",
           "sh -c echo_{t}",
           "/bin/sh -ec {t}",
           "sh -c{t}",
           "sh -lc{t}",
           "sh -c -e {t}",
           "sh -ce {t}",
           "sh -c -- {t}",
           "sh -o pipefail -c {t}",
           "bash -euo pipefail -c {t}",
           "bash --norc -c {t}",
           "bash --rcfile f -c {t}",
           "bash +x -c {t}",
           "bash-5.2 -c {t}",
           "ksh93 -c {t}",
           "busybox sh -c {t}",
           "fish -c {t}",
           "fish --command={t}",
           "env bash -lc {t}",
           "env -- sh -c {t}",
           "env -i PATH=/bin sh -c {t}",
           "env -S {t}",
           "env -S{t}",
           "env -S sh_-c_{t}",
           "env -S sh_-c {t}",
           "env -vS sh_-c {t}",
           "env --split-string={t}",
           "env --split-string sh_-c {t}",
           "timeout 5 sh -c {t}",
           "python3 -c {t}",
           "python3 -c{t}",
           "python3.11 -c {t}",
           "/usr/bin/python3.13t -c {t}",
           "python3-dbg -c {t}",
           "pypy3 -c {t}",
           "python3 -W ignore -c {t}",
           "python3 -uc {t}",
           "python.exe -c {t}",
           "perl -e {t}",
           "perl -E {t}",
           "perl -e{t}",
           "perl -lne {t}",
           "perl -i -pe {t}",
           "perl -I lib -e {t}",
           "perl -0777 -ne {t}",
           "perl -M{t}",
           "perl5.36.0 -E {t}",
           "ruby -e {t}",
           "ruby3.1 -r json -e {t}",
           "node -e {t}",
           "node --eval={t}",
           "node --eval {t}",
           "node -p {t}",
           "node -pe {t}",
           "node --print={t}",
           "node --require m --eval {t}",
           "nodejs -e {t}",
           "deno eval {t}",
           "bun -e {t}",
           "php -r {t}",
           "php -r{t}",
           "php8.2 -d a=b -r {t}",
           "php --run {t}",
           "lua5.4 -e {t}",
           "Rscript -e {t}",
           "julia -e {t}",
           "emacs --batch --eval {t}",
           "emacs -batch -eval {t}",
           "erl -eval {t}",
           "osascript -e {t}",
           "awk {t}",
           "awk -v x=1 {t}",
           "gawk -e {t}",
           "sed {t}",
           "sed -n {t}",
           "sed -E -e {t}",
           "sed file --expression={t}",
           "make --eval={t}",
           "su -c {t}",
           "su - me -c {t}",
           "su me -- -c {t}",
           "su --comm={t}",
           "runuser -u me -c {t}",
           "runuser --session-command={t}",
           "flock f -c {t}",
           "flock -w 5 f -c {t}",
           "flock f --command={t}",
           "script -c {t}",
           "script -qec {t}",
           "script -q out -c {t}",
           "script --command {t}",
           "sg group {t}",
           "sg group -c {t}",
           "psql -d db -c {t}",
           "mysql -p -e {t}",
           "holdfast run --name n --verify {t}",
           "holdfast run --on-end={t}",
           "holdfast run --on-failure {t}",
           "holdfast run --on-success={t}",
           "cmd /c {t}",
           "cmd.exe /s /c {t}",
           "cmd /c echo {t}",
           "CMD.EXE /C{t}",
           "pwsh -Command {t}",
           "pwsh -c {t}",
           "pwsh -NoProfile -Co echo {t}",
           "powershell.exe -ExecutionPolicy Bypass -EncodedCommand {t}",
           "powershell {t}",
           "powershell Write-Output {t}",
       }) {
    EXPECT_TRUE(takes_text(line)) << line;
  }
}

TEST(ProgramText, ArgumentsOfAProgramAreNoText) {
  for (const char* line : {
           "agent {t}",
           "agent -c {t}",
           "agent --eval={t}",
           "grep -e {t}",
           "sh script {t}",
           "sh -e work.sh -c {t}",
           "sh -c work_$1 sh {t}",
           "bash -euo pipefail -c work_$1 bash {t}",
           "env sh -c work_$1 sh {t}",
           "env A={t}",
           "env A=b agent -S {t}",
           "python3 tool.py -c {t}",
           "python3 -m pytest -c {t}",
           "python3 -c import_sys {t}",
           "python3 {t}",
           "python3-config -c {t}",
           "perl -ne print {t}",
           "perl -I{t}",
           "node tool.js --eval={t}",
           "deno run {t}",
           "php -f tool.php {t}",
           "awk -f prog {t}",
           "awk -v x={t}",
           "awk {print} {t}",
           "sed -i s/a/b/ {t}",
           "sed -f prog {t}",
           "make {t}",
           "make -C {t}",
           "make ITEM={t}",
           "flock {t}",
           "flock f agent {t}",
           "flock f python3 tool.py -c {t}",
           "script -c work {t}",
           "psql -d {t}",
           "holdfast run --name {t}",
           "holdfast run --name n -- agent --verify={t}",
           "pwsh -File tool.ps1 {t}",
           "pwsh tool.ps1 {t}",
           "powershell -ExecutionPolicy Bypass -File tool.ps1 {t}",
           "cmd {t}",
       }) {
    EXPECT_FALSE(takes_text(line)) << line;
  }
}

}  // namespace
}  // namespace holdfast
