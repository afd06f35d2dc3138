// SPDX-License-Identifier: Apache-2.0
//
// Modes and owners as people write them.
//
//   mode      octal, three or four digits: `644`, `0644`, `1777`
//   ids       `uid:gid`, both decimal
//   owner     ids, or the name of a user, who is looked up in the passwd file and
//             brings the primary group
//
// nullopt where the text is none of them. The ids 4294967295 (-1) mean "leave it" to the system and
// are refused; so is a number without a group, which could be either.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace holdfast {

struct Ids {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  bool operator==(const Ids&) const = default;
};

struct UserName {
  std::string name;
  bool operator==(const UserName&) const = default;
};

using OwnerText = std::variant<Ids, UserName>;

std::optional<std::uint32_t> parse_mode(std::string_view text);
std::string format_mode(std::uint32_t mode);  // "0644"
std::optional<Ids> parse_ids(std::string_view text);
std::string format_ids(Ids ids);  // "1000:1000"
std::optional<OwnerText> parse_owner(std::string_view text);

// Users by name from the text of a passwd file: `name:password:uid:gid:…`.
//
// A static program has no name service, so users that only a directory server knows are not found.
// Lines that are not of this shape (comments, NIS entries) are passed over; among two lines with
// one name the first counts, as everywhere.
std::optional<Ids> find_user(std::string_view passwd, std::string_view name);

// Is `gid` the group of the user `uid` alone, as far as the texts of a passwd and a group file
// tell? Only if it is called as that user, is the primary group of nobody else, and has no other
// member. What they do not say, and a line that refers to a name service (`+…`), is a no.
bool is_private_group(std::string_view passwd, std::string_view group, std::uint32_t uid,
                      std::uint32_t gid);

}  // namespace holdfast
