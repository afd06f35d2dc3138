// SPDX-License-Identifier: Apache-2.0
//
// hf_counts OPERATION TIMES   does it in the current directory
// hf_counts --list            the names of the operations
// hf_counts --made-by         what the counts depend on beside our tree
// hf_counts --flags           the flags of the build type
//
// check.sh runs it under callgrind and counts instructions.
#include <gnu/libc-version.h>
#include <openssl/opensslv.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "operation.h"

namespace holdfast::bench {

void die(std::string_view what, std::string_view why) {
  std::fprintf(stderr, "hf_counts: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(why.size()), why.data());
  std::exit(1);
}

void must(bool good, std::string_view what) {
  if (!good) die("failed", what);
}

namespace {

std::vector<Operation> operations() {
  std::vector<Operation> all;
  for (const auto some : {command_operations(), file_operations(), journal_operations(),
                          lock_operations(), process_operations(), text_operations()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

int list() {
  for (const Operation& operation : operations()) {
    std::printf("%.*s\n", static_cast<int>(operation.name.size()), operation.name.data());
  }
  return 0;
}

int made_by() {
#ifdef __clang__
  constexpr const char* kCompiler = "clang";
#else
  constexpr const char* kCompiler = "gcc";
#endif
  std::printf("%s, %s %s, libstdc++ %d, glibc %s, OpenSSL %d.%d\n", HF_COUNTS_PROCESSOR, kCompiler,
              __VERSION__, __GLIBCXX__, gnu_get_libc_version(), OPENSSL_VERSION_MAJOR,
              OPENSSL_VERSION_MINOR);
  return 0;
}

int perform(std::string_view name, std::string_view number) {
  std::uint64_t times = 0;
  const auto [end, error] = std::from_chars(number.begin(), number.end(), times);
  must(error == std::errc() && end == number.end(), "TIMES is no number");
  for (const Operation& operation : operations()) {
    if (operation.name != name) continue;
    operation.perform(times);
    return 0;
  }
  die("no such operation", name);
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
  using namespace holdfast::bench;
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "--list") return list();
  if (words.size() == 1 && words[0] == "--made-by") return made_by();
  if (words.size() == 1 && words[0] == "--flags") return std::puts(HF_COUNTS_FLAGS) < 0 ? 1 : 0;
  if (words.size() == 2) return perform(words[0], words[1]);
  die("usage", "hf_counts OPERATION TIMES | --list | --made-by | --flags");
}
