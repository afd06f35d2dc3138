// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: a run opens the file; gc, which finds nobody there, moves the directory
// to the trash; the run takes its byte, and works in the trash. So gc keeps all bytes for itself
// until the directory has left its name, and the run, with its byte in hand, looks whether the name
// still leads to what it has opened.
//
// The other one: there is no file yet, so gc finds nobody, and the run makes one. It is made under
// the workspace's lock only, which gc has.
#include "session/workspace/below.h"

#include <cstring>
#include <utility>

#include "base/cause.h"
#include "base/path_text.h"
#include "format/json/json.h"
#include "format/text/name_escape.h"
#include "os/lock/byte_lock.h"
#include "os/machine/sha256.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"

namespace holdfast::session {
namespace {

constexpr std::int64_t kBelowVersion = 1;
constexpr std::uint64_t kBelowByDirectory = 0;  // of a run that no attachment is known for
constexpr std::uint64_t kBelowFirstPlace = 2;
constexpr int kBelowTries = 8;
constexpr std::string_view kSessionsComponent = "sessions";

Error bad_attached(ErrorCode code, std::string_view cause, std::string_view detail) {
  return {.code = code,
          .op = "read",
          .subject = "HOLDFAST_ATTACHED",
          .cause = std::string(cause),
          .detail = std::string(detail) + "; nothing was started"};
}

std::optional<BelowEntry> entry_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const Json* const name = json.find("name");
  const Json* const id = json.find("id");
  const Json* const place = json.find("place");
  const Json* const directory = json.find("dir");
  if (name == nullptr || id == nullptr || place == nullptr || directory == nullptr) {
    return std::nullopt;
  }
  auto name_text = bytes_from_json(*name);
  auto path = bytes_from_json(*directory);
  const auto parsed = id->text() != nullptr ? parse_id128(*id->text()) : std::nullopt;
  const auto number = place->count();
  if (!name_text || !path || !parsed || !number || !is_rooted_path(*path)) return std::nullopt;
  if (*number < kBelowFirstPlace || *number % 2 != 0 || *number >> 62U != 0) return std::nullopt;
  return BelowEntry{.name = *std::move(name_text),
                    .session = *parsed,
                    .place = *number,
                    .directory = *std::move(path)};
}

Error below_busy(const std::string& name) {
  return {.code = ErrorCode::kBusy,
          .op = "work in the workspace",
          .subject = "'" + name + "'",
          .cause = cause::kWorkspaceBusy,
          .detail = "somebody else is changing it, or `gc` is removing it; nothing was started"};
}

Result<os::File> make_below(const os::Dir& dir) {
  for (int i = 0; i < kBelowTries; ++i) {
    if (auto file = HF_TRY(open_own_file(dir, workspace_below_name()))) return *std::move(file);
    HF_TRY(dir.create_file(workspace_below_name(), kPrivateFile));
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "make",
               .subject = dir.path_of(workspace_below_name()),
               .cause = "removed",
               .detail = "somebody removes it again and again"});
}

template <typename T>
bool below_gone(const Result<T>& result) {
  return !result && result.error().code == ErrorCode::kNotFound;
}

// The workspace's lock, once: who had it has moved the directory by then, or has not. False: not in
// time.
Result<bool> wait_for_gc(const os::Dir& dir, bool make) {
  const auto lock = lock_workspace_dir(dir, kWorkspaceLockWait);
  if (below_gone(lock)) return true;
  if (!lock) return fail(lock.error());
  if (!*lock) return false;
  if (make && HF_TRY(dir.id_of(workspace_record_name()))) HF_TRY(make_below(dir));
  return true;
}

// Null: there is no such workspace any more.
Result<WorkspaceLock> hold_one(const BelowEntry& entry, bool any_id) {
  for (int i = 0; i < kBelowTries; ++i) {
    auto opened = os::Dir::open(entry.directory);
    if (below_gone(opened)) return WorkspaceLock();
    const os::Dir dir = HF_TRY(std::move(opened));
    const auto record = HF_TRY(read_workspace(dir, entry.name));
    if (!record || (!any_id && record->id != entry.session)) return WorkspaceLock();
    auto file = HF_TRY(open_own_file(dir, workspace_below_name()));
    if (!file || !HF_TRY(os::try_lock_byte(*file, entry.place, os::Share::kShared))) {
      if (!HF_TRY(wait_for_gc(dir, !file))) break;
      continue;
    }
    const auto named = os::Dir::open(entry.directory);
    if (below_gone(named)) return WorkspaceLock();
    if (!named) return fail(named.error());
    if (HF_TRY(named->info()).id != HF_TRY(dir.info()).id) continue;
    const auto same = HF_TRY(dir.id_of(workspace_below_name()));
    if (same && *same == HF_TRY(file->info()).id) {
      return WorkspaceLock(std::make_shared<const os::File>(*std::move(file)));
    }
  }
  return fail(below_busy(entry.name));
}

// HOME/sessions/NAME of a path in it. What is no such thing is told by its record, or none.
std::optional<BelowEntry> session_around(std::string_view working) {
  for (std::string_view at = without_trailing_separators(working); !is_root_path(at);) {
    const std::string_view above = parent_path(at);
    if (above.empty() || above.size() >= at.size()) break;
    if (last_component(above) == kSessionsComponent) {
      auto name = unescape_name(last_component(at), platform_name_rules());
      if (name) {
        return BelowEntry{
            .name = *std::move(name), .place = kBelowByDirectory, .directory = std::string(at)};
      }
    }
    at = above;
  }
  return std::nullopt;
}

}  // namespace

std::string encode_below(const BelowChain& chain) {
  if (chain.empty()) return "";
  Json list = Json::array();
  for (const BelowEntry& entry : chain) {
    list.push_back(Json{{"name", bytes_to_json(entry.name)},
                        {"id", to_hex(entry.session)},
                        {"place", entry.place},
                        {"dir", bytes_to_json(entry.directory)}});
  }
  return Json{{"v", kBelowVersion}, {"below", std::move(list)}}.dump();
}

Result<BelowChain> decode_below(std::string_view text) {
  BelowChain chain;
  if (text.empty()) return chain;
  const auto bad = [] {
    return fail(
        bad_attached(ErrorCode::kCorrupt, "bad-attached", "it is not what holdfast puts there"));
  };
  const Json json = parse_json(text);
  if (!json.is_object()) return bad();
  const Json* const version = json.find("v");
  if (version == nullptr || !version->integer() || *version->integer() < 1) return bad();
  if (*version->integer() > kBelowVersion) {
    return fail(bad_attached(ErrorCode::kCannotTell, cause::kNewerVersion,
                             "a later holdfast wrote it; update this one"));
  }
  const Json* const list = json.find("below");
  if (list == nullptr || !list->is_array()) return bad();
  for (const Json& one : *list) {
    auto entry = entry_of(one);
    if (!entry || chain.size() == kMaxBelow) return bad();
    chain.push_back(*std::move(entry));
  }
  return chain;
}

std::uint64_t below_place(const Id128& token) {
  const Digest digest = os::sha256("below " + to_hex(token));
  std::uint64_t number = 0;
  std::memcpy(&number, digest.bytes.data(), sizeof(number));
  number = (number >> 2U) & ~std::uint64_t{1};
  return number < kBelowFirstPlace ? kBelowFirstPlace : number;
}

Result<WorkspaceLock> hold_below_command(const os::Dir& dir, const Id128& token) {
  os::File file = HF_TRY(make_below(dir));
  if (HF_TRY(os::try_lock_byte(file, below_place(token) + 1, os::Share::kShared))) {
    return WorkspaceLock(std::make_shared<const os::File>(std::move(file)));
  }
  return fail(below_busy(dir.path()));
}

Result<std::vector<WorkspaceLock>> hold_below(const BelowChain& chain, std::string_view working) {
  std::vector<WorkspaceLock> held;
  for (const BelowEntry& entry : chain) {
    if (auto one = HF_TRY(hold_one(entry, false))) held.push_back(std::move(one));
  }
  const auto around = session_around(working);
  if (!around) return held;
  const auto there = os::Dir::open(around->directory);
  const bool is_session =
      there && there->id_of(workspace_record_name()).value_or(std::nullopt).has_value();
  if (!is_session) return held;  // somebody's directory that is called so
  if (auto one = HF_TRY(hold_one(*around, true))) held.push_back(std::move(one));
  return held;
}

Result<BelowNow> BelowNow::look(const os::Dir& dir) {
  BelowNow now;
  now.file_ = HF_TRY(open_own_file(dir, workspace_below_name()));
  if (now.file_) now.anybody_ = HF_TRY(os::is_any_byte_taken(*now.file_, 0));
  return now;
}

Result<bool> BelowNow::run(const Id128& token) const {
  if (!anybody_) return false;
  return os::is_byte_taken(*file_, below_place(token), os::Share::kExclusive);
}

Result<bool> BelowNow::any_of(const Id128& token) const {
  if (!anybody_ || HF_TRY(run(token))) return anybody_;
  return os::is_byte_taken(*file_, below_place(token) + 1, os::Share::kExclusive);
}

}  // namespace holdfast::session
