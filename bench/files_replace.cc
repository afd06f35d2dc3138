// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_files DIR LEVEL ROUNDS: replacing a file of 1 KiB by the library, and by the bare system
// calls of the same protocol (unnamed file, mode, sync, link, rename, sync of the directory; no
// lock, no look at the old file, no hash), turn by turn. Prints the median microseconds of both,
// `OURS <tab> RAW`. Every fiftieth result is read back and compared.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "file/replace.h"

namespace {

using holdfast::file::Durability;

[[noreturn]] void die(const char* what, const std::string& why) {
  std::fprintf(stderr, "hf_bench_files: %s: %s\n", what, why.c_str());
  std::exit(1);
}

void must(bool good, const char* what) {
  if (!good) die(what, std::strerror(errno));
}

void replace_raw(const std::string& dir_path, const char* name, const std::string& content,
                 Durability level, int round) {
  const int dir = ::open(dir_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  must(dir >= 0, "open");
  const int file = ::openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  must(file >= 0, "O_TMPFILE");
  must(::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()),
       "write");
  must(::fchmod(file, 0644) == 0, "fchmod");
  if (level != Durability::kNone) must(::fsync(file) == 0, "fsync");
  const std::string stage = ".stage-" + std::to_string(round);
  must(::linkat(file, "", dir, stage.c_str(), AT_EMPTY_PATH) == 0, "linkat");
  must(::renameat(dir, stage.c_str(), dir, name) == 0, "renameat");
  if (level == Durability::kFull) must(::fsync(dir) == 0, "fsync of the directory");
  ::close(file);
  ::close(dir);
}

void replace_ours(const std::string& path, const std::string& content, Durability level) {
  const auto done = holdfast::file::replace(path, content, {.durability = level});
  if (!done || !done->changed) die("replace", done ? "unchanged" : to_sentence(done.error()));
}

void check(const std::string& path, const std::string& content) {
  std::ifstream file(path, std::ios::binary);
  if (std::string(std::istreambuf_iterator<char>(file), {}) != content) die("wrong content", path);
}

template <typename Act>
double microseconds(const Act& act) {
  const auto began = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began)
      .count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) die("usage", "DIR none|data|full ROUNDS");
  const std::string dir = argv[1];
  const std::string word = argv[2];
  const Durability level = word == "none"   ? Durability::kNone
                           : word == "data" ? Durability::kData
                                            : Durability::kFull;
  int rounds = 0;
  std::from_chars(argv[3], argv[3] + std::strlen(argv[3]), rounds);
  std::vector<double> ours;
  std::vector<double> raw;
  for (int i = 0; i < rounds; ++i) {
    std::string content(1024, static_cast<char>('a' + i % 26));
    content.replace(0, 10, std::to_string(1'000'000'000 + i));
    const auto by_us = [&] { replace_ours(dir + "/ours", content, level); };
    const auto by_hand = [&] { replace_raw(dir, "raw", content, level, i); };
    // Each goes first half of the time: the second one's sync may find work of the first.
    if (i % 2 == 0) {
      ours.push_back(microseconds(by_us));
      raw.push_back(microseconds(by_hand));
    } else {
      raw.push_back(microseconds(by_hand));
      ours.push_back(microseconds(by_us));
    }
    if (i % 50 == 0) {
      check(dir + "/ours", content);
      check(dir + "/raw", content);
    }
  }
  std::printf("%.1f\t%.1f\n", median(ours), median(raw));
}
