// SPDX-License-Identifier: Apache-2.0
//
// What was typed against what is listed. A spelling that is forgotten here makes a live thing look
// absent, so every rewriting that an engine does to names has its line, and what cannot be foreseen
// is refused before it is recorded.
#include <algorithm>
#include <array>

#include "authority/engine.h"
#include "os/dir/dir.h"
#include "os/machine/machine_id.h"

namespace holdfast::authority {
namespace {

constexpr std::string_view kUser = "user:";

bool is_lower_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::unexpected<Error> bad_id(AuthorityKind kind, const std::string& id, std::string detail) {
  return fail({.code = ErrorCode::kUsage,
               .op = "take as an authority",
               .subject = std::string(to_text(kind)) + ":" + id,
               .cause = "bad-authority",
               .detail = std::move(detail)});
}

Result<std::vector<std::string>> of_container(AuthorityKind kind, const std::string& id) {
  // Docker writes a slash before names in some of its answers, and takes it back.
  const std::string name = id.starts_with('/') ? id.substr(1) : id;
  const auto allowed = [](char c) {
    return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-';
  };
  if (name.empty() || !std::ranges::all_of(name, allowed)) {
    return bad_id(kind, id, "names of containers are of letters, digits, '_', '.' and '-'");
  }
  return std::vector{name};
}

Result<std::vector<std::string>> of_unit(const std::string& id) {
  const std::string unit = id.starts_with(kUser) ? id.substr(kUser.size()) : id;
  const auto allowed = [](char c) {
    return is_letter_or_digit(c) || std::string_view(":_.-\\@").contains(c);
  };
  // systemctl would escape anything else, and make a mount of a path.
  if (unit.empty() || !std::ranges::all_of(unit, allowed)) {
    return bad_id(AuthorityKind::kSystemd, id,
                  "names of units are of letters, digits and the characters : _ . - \\ @");
  }
  return std::vector{unit, unit + ".service"};
}

Result<std::vector<std::string>> of_tmux_session(const std::string& id) {
  // tmux writes such bytes in ways of its own.
  if (id.contains('\\')) {
    return bad_id(AuthorityKind::kTmux, id, "a backslash is not listed as it is typed");
  }
  std::string as_listed = id;
  std::ranges::replace_if(as_listed, [](char c) { return c == '.' || c == ':'; }, '_');
  return std::vector{id, as_listed};
}

}  // namespace

bool could_begin_an_id(std::string_view text) {
  return !text.empty() && text.size() < kContainerIdDigits &&
         std::ranges::all_of(text, is_lower_hex);
}

bool is_container_id(std::string_view text) {
  return text.size() == kContainerIdDigits && std::ranges::all_of(text, is_lower_hex);
}

std::string systemd_endpoint(std::string_view id) {
  return id.starts_with(kUser) ? "user" : "system";
}

Result<std::vector<std::string>> spellings(AuthorityKind kind, const std::string& id) {
  switch (kind) {
    case AuthorityKind::kPodman:
    case AuthorityKind::kDocker:
      return of_container(kind, id);
    case AuthorityKind::kSystemd:
      return of_unit(id);
    case AuthorityKind::kTmux:
      return of_tmux_session(id);
    case AuthorityKind::kCommand: {
      const std::size_t slash = id.find('/');
      if (slash == id.npos) return std::vector{id};
      return std::vector{id, id.substr(slash + 1)};
    }
    case AuthorityKind::kProcess:
      break;
  }
  return std::vector{id};
}

std::string store_seen_at(const std::string& path) {
  if (!path.starts_with('/')) return {};
  const auto dir = os::Dir::open_following_links(path);
  if (!dir) return {};
  const auto info = dir->info();
  if (!info) return {};
  return " (" + std::to_string(info->id.device) + ":" + std::to_string(info->id.inode) + ")";
}

// A socket may lead into a machine that runs in this one; its name says so.
bool is_local_service(const std::string& endpoint, const std::string& host) {
  return endpoint.starts_with("unix://") && !host.empty() && host == os::host_name();
}

}  // namespace holdfast::authority
