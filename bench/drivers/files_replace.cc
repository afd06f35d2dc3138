// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_files DIR LEVEL BYTES ours|exchange|rename BATCH: replacing a file of BYTES in turns
// (turns.h), by the library, or by bare system calls. `exchange` makes those of the protocol that
// design/007 promises: unnamed file, mode, sync, link, exchange of the two names, removal of the
// displaced file, sync of the directory; no lock, no look at the old file, no hash. `rename`
// renames over the old file instead, which loses what another writer put there meanwhile. Every
// fiftieth result is read back and compared.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "file/replace/replace.h"
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

enum class Way : std::uint8_t { kOurs, kExchange, kRename };

void replace_raw(const std::string& dir_path, const std::string& content, Durability level,
                 Way way) {
  const int dir = ::open(dir_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  must(dir >= 0, "open");
  const int file = ::openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  must(file >= 0, "O_TMPFILE");
  must(::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()),
       "write");
  must(::fchmod(file, 0644) == 0, "fchmod");
  if (level != Durability::kNone) must(::fsync(file) == 0, "fsync");
  must(::linkat(file, "", dir, ".stage", AT_EMPTY_PATH) == 0, "linkat");
  if (way == Way::kExchange) {
    must(::renameat2(dir, ".stage", dir, "file", RENAME_EXCHANGE) == 0, "exchange");
    must(::unlinkat(dir, ".stage", 0) == 0, "unlinkat");
  } else {
    must(::renameat(dir, ".stage", dir, "file") == 0, "renameat");
  }
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

Way way_of(std::string_view word) {
  if (word == "ours") return Way::kOurs;
  if (word == "exchange") return Way::kExchange;
  if (word != "rename") die("no such way", std::string(word));
  return Way::kRename;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) die("usage", "DIR none|data|full BYTES ours|exchange|rename BATCH");
  const std::string dir = argv[1];
  const Durability level = level_of(argv[2]);
  const auto bytes = static_cast<std::size_t>(number(argv[3]));
  const Way way = way_of(argv[4]);
  std::ofstream(dir + "/file") << "there is something to replace\n";
  int round = 0;
  holdfast::bench::take_turns(number(argv[5]), [&] {
    ++round;
    std::string content(bytes, static_cast<char>('a' + round % 26));
    content.replace(0, 10, std::to_string(1'000'000'000 + round));
    if (way == Way::kOurs) {
      replace_ours(dir, content, level);
    } else {
      replace_raw(dir, content, level, way);
    }
    if (round % 50 == 1) check(dir + "/file", content);
  });
  return 0;
}
