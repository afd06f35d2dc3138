// SPDX-License-Identifier: Apache-2.0
#include "testing/temp_dir.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "os/machine/random.h"
#include "testing/platform.h"

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

fs::path temp_dir_native(const std::string& utf8) {
  return {std::u8string(utf8.begin(), utf8.end())};
}

std::string make_path() {
  const auto id = os::random_id();
  if (!id) std::abort();
  const std::u8string base = fs::temp_directory_path().u8string();
  std::string path = std::string(base.begin(), base.end()) + "/hf-test-" + to_hex(*id);
  fs::create_directory(temp_dir_native(path));
  fs::permissions(temp_dir_native(path), fs::perms::owner_all);
  return path;
}

os::Dir open_or_abort(const std::string& path) {
  auto dir = os::Dir::open(path);
  if (!dir) std::abort();
  return std::move(*dir);
}

}  // namespace

TempDir::TempDir() : path_(make_path()), dir_(open_or_abort(path_)) {}

TempDir::~TempDir() {
  clear();
  dir_ = open_or_abort(".");  // Windows removes no directory that is open
  std::error_code ignored;
  fs::remove_all(temp_dir_native(path_), ignored);
}

std::string TempDir::path(std::string_view name) const { return path_ + "/" + std::string(name); }

void TempDir::clear() {
  remove_links_below(path_);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(temp_dir_native(path_), ignored)) {
    fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace holdfast::testing
