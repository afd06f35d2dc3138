// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/program.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr const char* kLink = "/proc/self/exe";

std::unexpected<Error> cannot_tell(std::string_view cause, std::string_view detail) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "find the running program through",
               .subject = kLink,
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

}  // namespace

Result<std::string> own_program_path() {
  std::array<char, PATH_MAX> buffer;
  const ssize_t length = sys().readlinkat(AT_FDCWD, kLink, buffer.data(), buffer.size());
  if (length < 0) return fail(last_os_error("find the running program through", kLink));
  std::string path(buffer.data(), static_cast<std::size_t>(length));
  if (path.size() == buffer.size()) {
    return cannot_tell("program-path-too-long",
                       "its path may have been cut off; install it higher");
  }
  if (path.ends_with(" (deleted)")) {
    return cannot_tell("program-replaced",
                       "its file was replaced or removed after the start; start it again");
  }
  return path;
}

std::vector<std::string> exec_candidates(std::string_view name,
                                         const std::optional<std::string>& path) {
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos) return {std::string(name)};
  const std::string_view entries = path ? std::string_view(*path) : "/bin:/usr/bin";
  std::vector<std::string> candidates;
  for (std::size_t start = 0; start <= entries.size();) {
    const std::size_t end = std::min(entries.find(':', start), entries.size());
    if (end > start) {
      std::string candidate(entries.substr(start, end - start));
      if (!candidate.ends_with('/')) candidate += '/';
      candidates.push_back(candidate.append(name));
    }
    start = end + 1;
  }
  return candidates;
}

}  // namespace holdfast::os
