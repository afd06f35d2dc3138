// SPDX-License-Identifier: Apache-2.0
#include "file/replace/file_fixture.h"

#include "file/replace/status_linux_fixture.h"
#include "format/file/owner_text.h"

namespace holdfast::file {

void give_mode(const std::string& path, std::uint32_t mode) {
  ASSERT_EQ(::chmod(path.c_str(), mode), 0) << path;
}

bool ModeOf::operator==(std::uint32_t mode) const {
  return (status_of(path_).st_mode & 07777U) == mode;
}

std::string ModeOf::text() const { return format_mode(status_of(path_).st_mode & 07777U); }

}  // namespace holdfast::file
