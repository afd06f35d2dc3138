// SPDX-License-Identifier: Apache-2.0
//
// TempDir: a directory of its own for one test, removed with everything in it at the end.
#pragma once

#include <string>
#include <string_view>

#include "os/dir/dir.h"

namespace holdfast::testing {

class TempDir {
 public:
  TempDir();  // aborts the test program where none can be made
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path(std::string_view name) const;
  [[nodiscard]] const os::Dir& dir() const { return dir_; }

  // Removes everything inside, so that a sweep can start afresh.
  void clear();

 private:
  std::string path_;
  os::Dir dir_;
};

}  // namespace holdfast::testing
