// SPDX-License-Identifier: Apache-2.0
//
// Users by name from the text of a passwd file: `name:password:uid:gid:…`.
//
// A static program has no name service, so users that only a directory server knows are not found.
// Lines that are not of this shape (comments, NIS entries) are passed over; among two lines with
// one name the first counts, as everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/file/owner_text.h"

namespace holdfast {

std::optional<Ids> find_user(std::string_view passwd, std::string_view name);

// Is `gid` the group of the user `uid` alone, as far as the texts of a passwd and a group file
// tell? Only if it is called as that user, is the primary group of nobody else, and has no other
// member. What they do not say, and a line that refers to a name service (`+…`), is a no.
bool is_private_group(std::string_view passwd, std::string_view group, std::uint32_t uid,
                      std::uint32_t gid);

}  // namespace holdfast
