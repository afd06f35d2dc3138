// SPDX-License-Identifier: Apache-2.0
//
// For tests: a directory in front of PATH with clients that are scripts of the test's own. A script
// that answers as the real client does stands in for a daemon that is not here; one that fails,
// hangs or lies is the fault itself.
#pragma once

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "testing/temp_dir.h"

namespace holdfast::authority {

class StandIn {
 public:
  // `only`: nothing else is on PATH.
  explicit StandIn(bool only = false) : old_path_(std::getenv("PATH")) {
    ::setenv("PATH", only ? temp_.path().c_str() : (temp_.path() + ":" + old_path_).c_str(), 1);
  }
  ~StandIn() { ::setenv("PATH", old_path_.c_str(), 1); }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  // `body` is of the shell; the name of the script is the client's.
  void client(const std::string& name, const std::string& body) const {
    std::ofstream(temp_.path(name)) << "#!/bin/sh\n" << body << "\n";
    ::chmod(temp_.path(name).c_str(), 0755);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return temp_.path(name); }
  void file(const std::string& name, const std::string& content) const {
    std::ofstream(temp_.path(name)) << content;
  }

 private:
  testing::TempDir temp_;
  std::string old_path_;
};

}  // namespace holdfast::authority
