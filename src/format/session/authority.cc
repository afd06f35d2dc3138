// SPDX-License-Identifier: Apache-2.0
#include "format/session/authority.h"

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr std::size_t kMaxAuthorityId = 256;
// In the order of AuthorityKind.
constexpr std::array<std::string_view, kAuthorityKinds> kAuthorityWords{
    "process", "podman", "docker", "systemd", "tmux", "command"};

std::unexpected<Error> bad_authority(std::string_view text, std::string detail) {
  return fail({.code = ErrorCode::kUsage,
               .op = "understand the authority",
               .subject = std::string(text),
               .cause = "bad-authority",
               .detail = std::move(detail)});
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

std::string_view to_text(AuthorityKind kind) {
  return kAuthorityWords[static_cast<std::size_t>(kind)];
}

Result<AuthorityName> parse_authority(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) {
    return bad_authority(
        text,
        "it is written KIND:ID, with one of the kinds process, podman, docker, systemd, "
        "tmux, command");
  }
  const std::string_view kind = text.substr(0, colon);
  const std::string_view id = text.substr(colon + 1);
  const auto* const known = std::ranges::find(kAuthorityWords, kind);
  if (known == kAuthorityWords.end()) {
    return bad_authority(
        text, "there is no such kind; there are process, podman, docker, systemd, tmux, command");
  }
  if (id.empty()) return bad_authority(text, "nothing stands behind the colon");
  if (id.size() > kMaxAuthorityId) return bad_authority(text, "its ID is longer than 256 bytes");
  if (std::ranges::any_of(id, is_control))
    return bad_authority(text, "its ID holds a control character");
  return AuthorityName{.kind = static_cast<AuthorityKind>(known - kAuthorityWords.begin()),
                       .id = std::string(id)};
}

std::string to_text(const Authority& authority) {
  return std::string(to_text(authority.kind)) + ":" + authority.id;
}

std::string_view pool_of(std::string_view command_id) {
  return command_id.substr(0, command_id.find('/'));
}

}  // namespace holdfast
