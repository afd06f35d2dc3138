// SPDX-License-Identifier: Apache-2.0
#include "os/dir/make_link.h"

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<Placed> make_link(const Dir& dir, const SafeName& name, const std::string& target) {
  HF_TRY(check_path_text(target));
  const int fd = static_cast<int>(dir.native());
  if (sys().symlinkat(target.c_str(), fd, name.c_str()) == 0) return Placed::kPlaced;
  if (errno == EEXIST) return Placed::kNameTaken;
  return fail(last_os_error("make the link", dir.path_of(name), "nothing was created"));
}

}  // namespace holdfast::os
