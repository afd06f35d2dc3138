// SPDX-License-Identifier: Apache-2.0
//
// Owners as people write them (format/file/owner_text.h), as numbers: a name is looked up in
// /etc/passwd, which may be a link.
//
// Errors: kConfig `unknown-user`; kCannotTell `no-passwd-file`; kIo, kOsRefused or kRefused where
// the file cannot be read.
#pragma once

#include <string>

#include "base/result.h"
#include "format/file/owner_text.h"

namespace holdfast::file {

// `passwd` is another file in tests only.
Result<Ids> resolve_owner(const OwnerText& owner, const std::string& passwd = "/etc/passwd");

}  // namespace holdfast::file
