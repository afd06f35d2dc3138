// SPDX-License-Identifier: Apache-2.0
#include "testing/platform.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

namespace holdfast::testing {

bool make_dir_link(const std::string& target, const std::string& link) {
  return ::symlink(target.c_str(), link.c_str()) == 0;
}

bool make_file_link(const std::string& target, const std::string& link) {
  return ::symlink(target.c_str(), link.c_str()) == 0;
}

void remove_links_below(const std::string&) {}

ScopedEnv::ScopedEnv(std::string name, const std::string& value) : name_(std::move(name)) {
  if (::setenv(name_.c_str(), value.c_str(), 1) != 0) std::abort();
}

ScopedEnv::~ScopedEnv() { ::unsetenv(name_.c_str()); }

void ignore_broken_pipes() { static_cast<void>(::signal(SIGPIPE, SIG_IGN)); }

SwappedStderr::SwappedStderr(const os::Handle& instead)
    : before_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
  ignore_broken_pipes();
  ::dup2(static_cast<int>(instead.get()), STDERR_FILENO);
}

SwappedStderr::~SwappedStderr() {
  ::dup2(static_cast<int>(before_), STDERR_FILENO);
  ::close(static_cast<int>(before_));
}

}  // namespace holdfast::testing
