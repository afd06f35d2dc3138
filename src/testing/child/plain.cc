// SPDX-License-Identifier: Apache-2.0
//
// The behaviours that need nothing of the system.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "testing/child/child.h"

namespace holdfast::testing::child {
namespace {

[[noreturn]] void leave(int code) {
  static_cast<void>(std::fflush(stdout));
  std::_Exit(code);
}

[[noreturn]] void print_words(const Words& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    static_cast<void>(std::printf("[%s]", words[i].c_str()));
  }
  leave(0);
}

[[noreturn]] void copy_input() {
  char buffer[4096];
  for (;;) {
    const std::size_t got = std::fread(buffer, 1, sizeof(buffer), stdin);
    if (got == 0) break;
    if (std::fwrite(buffer, 1, got, stdout) != got) leave(1);
    static_cast<void>(std::fflush(stdout));
  }
  leave(0);
}

[[noreturn]] void print_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  static_cast<void>(std::printf("%s", value == nullptr ? "(none)" : value));
  leave(0);
}

[[noreturn]] void print_many(unsigned long count) {
  static_cast<void>(std::setvbuf(stdout, nullptr, _IOFBF, 32768));
  for (unsigned long i = 1; i <= count; ++i) {
    if (std::printf("%lu\n", i) < 0) leave(1);
  }
  leave(0);
}

[[noreturn]] void mark(const std::string& path) {
  std::ofstream(path) << "marked";
  leave(0);
}

}  // namespace

void behave_plainly(const Words& words) {
  const std::string& what = words.at(0);
  if (what == "words") print_words(words);
  if (what == "cat") copy_input();
  if (what == "env") print_variable(words.at(1));
  if (what == "count") print_many(std::strtoul(words.at(1).c_str(), nullptr, 10));
  if (what == "mark") mark(words.at(1));
  if (what == "cat-and-exit") {
    char buffer[4096];
    while (std::fread(buffer, 1, sizeof(buffer), stdin) > 0) {
    }
    leave(std::atoi(words.at(1).c_str()));
  }
}

}  // namespace holdfast::testing::child
