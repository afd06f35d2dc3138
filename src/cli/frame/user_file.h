// SPDX-License-Identifier: Apache-2.0
//
// A file that a person named on the command line. The directories above may be links; the file
// itself is a regular file and no link (os/dir/dir.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "file/replace/target.h"
#include "os/dir/dir.h"

namespace holdfast::cli {

struct UserFile {
  os::Dir dir;
  os::SafeName name;
};

// Its directory, opened, and its name. kNotFound where the directory is not there.
Result<UserFile> locate_file(const std::string& path);

// The absolute path of the directory it lies in, with no link left in it: where the relative paths
// that it holds start.
Result<std::string> directory_of_file(const std::string& path);

// All of it. Errors: kNotFound where it is not there; kRefused (`too-large`) beyond `max`.
Result<std::string> read_user_file(const std::string& path, std::size_t max,
                                   file::TrustDir trust = file::TrustDir::kAny);

// The same of a file that says what is run: it is read only if nobody else could have written it.
// Whether it is there is asked first. kRefused (file/replace/target.h) where it is not trusted.
Result<std::string> read_config_file(const std::string& path, std::size_t max,
                                     file::TrustDir trust);

// `path` itself where it is absolute, else with the working directory before it.
Result<std::string> absolute_path(const std::string& path);

}  // namespace holdfast::cli
