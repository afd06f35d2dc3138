// SPDX-License-Identifier: Apache-2.0
//
// What tests of this folder share: a directory of their own, files with content and mode in it, and
// a look at what is left.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "file/replace.h"
#include "testing/temp_dir.h"

namespace holdfast::file {

class FileFixture : public ::testing::Test {
 protected:
  [[nodiscard]] std::string at(std::string_view name) const { return tmp_.path(name); }

  void put(std::string_view name, std::string_view content, mode_t mode = 0644) const {
    std::ofstream(at(name), std::ios::binary | std::ios::trunc) << content;
    ASSERT_EQ(::chmod(at(name).c_str(), mode), 0);
  }

  [[nodiscard]] std::string content(std::string_view name) const {
    std::ifstream file(at(name), std::ios::binary);
    if (!file) return "(absent)";
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] mode_t mode(std::string_view name) const { return status(name).st_mode & 07777U; }

  [[nodiscard]] struct stat status(std::string_view name) const {
    struct stat info{};
    EXPECT_EQ(::lstat(at(name).c_str(), &info), 0) << name;
    return info;
  }

  // Sorted.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    EXPECT_TRUE(tmp_.dir().each_entry([&](std::string_view name, os::FileType) {
      found.emplace_back(name);
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
