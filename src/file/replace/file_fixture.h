// SPDX-License-Identifier: Apache-2.0
//
// What tests of this folder share: a directory of their own, files with content and mode in it, and
// a look at what is left. What of it each platform has its own way for is in
// file_fixture_linux_test.cc and replace_win_test.cc.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file/replace/replace.h"
#include "os/file/stat_without_times.h"
#include "testing/temp_dir.h"

namespace holdfast::file {

void give_mode(const std::string& path, std::uint32_t mode);

// The mode of what is there, to be compared: on Windows, whether its access list agrees with one
// (os/file/metadata.h).
class ModeOf {
 public:
  explicit ModeOf(std::string path) : path_(std::move(path)) {}
  bool operator==(std::uint32_t mode) const;
  friend void PrintTo(const ModeOf& mode, std::ostream* out) { *out << mode.text(); }

 private:
  [[nodiscard]] std::string text() const;

  std::string path_;
};

class FileFixture : public ::testing::Test {
 protected:
  [[nodiscard]] std::string at(std::string_view name) const { return tmp_.path(name); }

  void put(std::string_view name, std::string_view content, std::uint32_t mode = 0644) const {
    std::ofstream(at(name), std::ios::binary | std::ios::trunc) << content;
    give_mode(at(name), mode);
  }

  [[nodiscard]] std::string content(std::string_view name) const {
    std::ifstream file(at(name), std::ios::binary);
    if (!file) return "(absent)";
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] ModeOf mode(std::string_view name) const { return ModeOf(at(name)); }

  [[nodiscard]] os::FileId id(std::string_view name) const {
    const auto found = os::id_of_path(at(name));
    EXPECT_TRUE(found && *found) << name;
    return found && *found ? **found : os::FileId{};
  }

  // One spelling of a path for both platforms.
  static std::string slashed(std::string path) {
    std::ranges::replace(path, '\\', '/');
    for (std::size_t at = 0; (at = path.find("//")) != path.npos;) path.erase(at, 1);
    return path;
  }

  // Sorted, without the file that a directory's lock is on Windows.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    EXPECT_TRUE(tmp_.dir().each_entry([&](std::string_view name, os::FileType) {
      if (name != ".holdfast-lock") found.emplace_back(name);
      return os::Visit::kContinue;
    }));
    std::ranges::sort(found);
    return found;
  }

  testing::TempDir tmp_;
};

// The cause of a failed call; "(done)" where it did not fail.
template <typename T>
std::string cause_of(const Result<T>& result) {
  return result ? "(done)" : result.error().cause;
}
template <typename T>
ErrorCode code_of(const Result<T>& result) {
  return result ? ErrorCode::kInternal : result.error().code;
}

}  // namespace holdfast::file
