// SPDX-License-Identifier: Apache-2.0
//
// lstat and umask, for tests that ask what only Linux has.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

namespace holdfast::file {

inline struct stat status_of(const std::string& path) {
  struct stat info{};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
  return info;
}

class ScopedUmask {
 public:
  explicit ScopedUmask(mode_t mask) : old_(::umask(mask)) {}
  ~ScopedUmask() { ::umask(old_); }
  ScopedUmask(const ScopedUmask&) = delete;
  ScopedUmask& operator=(const ScopedUmask&) = delete;

 private:
  mode_t old_;
};

}  // namespace holdfast::file
