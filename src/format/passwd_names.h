// SPDX-License-Identifier: Apache-2.0
//
// Users by name from the text of a passwd file: `name:password:uid:gid:…`.
//
// A static program has no name service, so users that only a directory server knows are not found.
// Lines that are not of this shape (comments, NIS entries) are passed over; among two lines with
// one name the first counts, as everywhere.
#pragma once

#include <optional>
#include <string_view>

#include "format/owner_text.h"

namespace holdfast {

std::optional<Ids> find_user(std::string_view passwd, std::string_view name);

}  // namespace holdfast
