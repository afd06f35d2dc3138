// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_files DIR LEVEL BYTES ours|raw BATCH: replacing a file of BYTES in turns (turns.h), by
// the library, or by the bare system calls of the same protocol (unnamed file, mode, sync, link,
// rename, sync of the directory; no lock, no look at the old file, no hash). Every fiftieth result
// is read back and compared.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "file/replace.h"
#include "turns.h"

namespace {

using holdfast::file::Durability;

[[noreturn]] void die(const char* what, const std::string& why) {
  std::fprintf(stderr, "hf_bench_files: %s: %s\n", what, why.c_str());
  std::exit(1);
}

void must(bool good, const char* what) {
  if (!good) die(what, std::strerror(errno));
}

void replace_raw(const std::string& dir_path, const std::string& content, Durability level) {
  const int dir = ::open(dir_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  must(dir >= 0, "open");
  const int file = ::openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  must(file >= 0, "O_TMPFILE");
  must(::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()),
       "write");
  must(::fchmod(file, 0644) == 0, "fchmod");
  if (level != Durability::kNone) must(::fsync(file) == 0, "fsync");
  must(::linkat(file, "", dir, ".stage", AT_EMPTY_PATH) == 0, "linkat");
  must(::renameat(dir, ".stage", dir, "file") == 0, "renameat");
  if (level == Durability::kFull) must(::fsync(dir) == 0, "fsync of the directory");
  ::close(file);
  ::close(dir);
}

void replace_ours(const std::string& dir, const std::string& content, Durability level) {
  const auto done = holdfast::file::replace(dir + "/file", content, {.durability = level});
  if (!done || !done->changed) die("replace", done ? "unchanged" : to_sentence(done.error()));
}

void check(const std::string& path, const std::string& content) {
  std::ifstream file(path, std::ios::binary);
  if (std::string(std::istreambuf_iterator<char>(file), {}) != content) die("wrong content", path);
}

int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  if (value < 1) die("not a number", std::string(text));
  return value;
}

Durability level_of(std::string_view word) {
  if (word == "none") return Durability::kNone;
  return word == "data" ? Durability::kData : Durability::kFull;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) die("usage", "DIR none|data|full BYTES ours|raw BATCH");
  const std::string dir = argv[1];
  const Durability level = level_of(argv[2]);
  const auto bytes = static_cast<std::size_t>(number(argv[3]));
  const bool ours = std::string_view(argv[4]) == "ours";
  int round = 0;
  holdfast::bench::take_turns(number(argv[5]), [&] {
    ++round;
    std::string content(bytes, static_cast<char>('a' + round % 26));
    content.replace(0, 10, std::to_string(1'000'000'000 + round));
    if (ours) {
      replace_ours(dir, content, level);
    } else {
      replace_raw(dir, content, level);
    }
    if (round % 50 == 1) check(dir + "/file", content);
  });
  return 0;
}
