// SPDX-License-Identifier: Apache-2.0
#include "cli/import_sessions.h"

#include <algorithm>

#include "base/path_text.h"
#include "cli/command_line.h"
#include "gc/pattern.h"
#include "os/sha256.h"
#include "session/harness.h"

namespace holdfast::cli {
namespace {

using ImportSessionsVerdict = ImportVerdict;

constexpr std::size_t kDigits = 4;
constexpr Duration kLaunches = std::chrono::minutes(5);
constexpr std::size_t kUuidBytes = 36;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_session_name(std::string_view entry, std::string_view prefix) {
  if (!entry.starts_with(prefix) || entry.size() != prefix.size() + kDigits) return false;
  return std::ranges::all_of(entry.substr(prefix.size()), is_hex);
}

bool is_uuid(std::string_view text) {
  constexpr std::array<std::size_t, 4> kDashes{8, 13, 18, 23};
  if (text.size() != kUuidBytes) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = std::ranges::find(kDashes, i) != kDashes.end();
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

void import_sessions_judged(ImportRecord& record, ImportSessionsVerdict verdict,
                            std::string_view reason, std::string detail = {}) {
  record.verdict = verdict;
  record.reason = reason;
  record.detail = std::move(detail);
}

class SessionImporter {
 public:
  SessionImporter(const gc::Services& services, const SessionImport& order, const os::Dir& dir)
      : services_(services), order_(order), dir_(dir) {}

  Result<ImportRecord> take(const std::string& entry) {
    ImportRecord record{.name = entry, .source = join_path(order_.directory, entry), .as = entry};
    const auto looked = look(entry, record);
    if (!looked) {
      const bool unsafe = looked.error().code == ErrorCode::kRefused;
      import_sessions_judged(
          record, unsafe ? ImportSessionsVerdict::kRefused : ImportSessionsVerdict::kUnknown,
          looked.error().cause, looked.error().detail);
      return record;
    }
    if (!*looked) return record;
    HF_TRY(adopt(entry, record));
    return record;
  }

 private:
  // False: it is judged, and not to be taken.
  Result<bool> look(const std::string& entry, ImportRecord& record) {
    const os::SafeName name = HF_TRY(os::SafeName::make(entry));
    const auto info = HF_TRY(dir_.info(name));
    const bool is_dir = info && info->type == os::FileType::kDirectory;
    if (!is_dir) {
      const bool link = info && info->type == os::FileType::kLink;
      import_sessions_judged(record, ImportSessionsVerdict::kRefused,
                             link ? "is-link" : "not-a-directory");
      return false;
    }
    const os::Dir session = HF_TRY(dir_.open_dir(name));
    const auto marker = HF_TRY(session.info(HF_TRY(os::SafeName::make(".launching"))));
    if (marker && services_.clock.wall() - marker->modified < kLaunches) {
      import_sessions_judged(record, ImportSessionsVerdict::kHeld, "launching",
                             "it was begun less than five minutes ago");
      return false;
    }
    HF_TRY(read_resume_id(session, record));
    return true;
  }

  Result<> read_resume_id(const os::Dir& session, ImportRecord& record) {
    resume_id_.reset();
    auto file = session.open_file(HF_TRY(os::SafeName::make("session-id")), os::Access::kRead);
    if (!file) {
      record.detail = "its session-id is not used: " + file.error().cause;
      return {};
    }
    if (!*file) return {};
    std::string text = HF_TRY((*file)->read_at(0, kUuidBytes + 2));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    record.digest = to_hex(os::sha256(text));
    if (is_uuid(text)) {
      resume_id_ = std::move(text);
    } else {
      record.detail = "its session-id is no UUID, and is not used";
    }
    return {};
  }

  Result<> adopt(const std::string& entry, ImportRecord& record) {
    gc::AdoptOrder order{.directory = order_.directory, .pattern = entry};
    if (order_.authority) {
      const std::string_view digits = std::string_view(entry).substr(order_.prefix.size());
      order.authority = gc::expand(*order_.authority, entry, digits);
    }
    order.only_look = !order_.apply;
    const gc::Adopted adopted = HF_TRY(gc::adopt(services_, order));
    if (!adopted.failed.empty()) {
      import_sessions_judged(record, ImportSessionsVerdict::kRefused,
                             adopted.failed.front().reason);
    } else if (adopted.known != 0) {
      import_sessions_judged(record, ImportSessionsVerdict::kAlready, "has-a-record",
                             record.detail);
    } else if (adopted.names.empty()) {
      import_sessions_judged(record, ImportSessionsVerdict::kUnknown, "changed-meanwhile");
    } else {
      import_sessions_judged(
          record,
          order_.apply ? ImportSessionsVerdict::kImported : ImportSessionsVerdict::kImportable,
          "adopted", record.detail);
      if (order_.apply) HF_TRY(note_resume_id(entry));
    }
    return {};
  }

  Result<> note_resume_id(const std::string& name) {
    if (!resume_id_) return {};
    auto hold =
        HF_TRY(session::HarnessHold::take(services_.sessions, name, session::kHarnessLockWait));
    if (!hold) return {};
    HarnessRecord record = hold->record();
    record.resume_id = resume_id_;
    return hold->write(std::move(record), os::Durability::kFull);
  }

  const gc::Services& services_;
  const SessionImport& order_;
  const os::Dir& dir_;
  std::optional<std::string> resume_id_;
};

Result<> import_sessions_check_order(const SessionImport& order) {
  // A name is its own pattern for gc/adopt.h: it must mean that one directory, and no other.
  if (order.prefix.empty() || order.prefix.find_first_of("*?/\\") != std::string::npos) {
    return fail(usage_error("bad-value", "use the value of", "--prefix",
                            "it is the plain text before the four digits, and not empty"));
  }
  if (!order.authority) return {};
  const auto unknown = gc::unknown_placeholder(*order.authority);
  if (unknown.empty()) return {};
  return fail(usage_error(
      "bad-value", "use the value of", "--authority",
      "there is no '" + std::string(unknown) + "'; `{*}` is the four digits, `{name}` the name"));
}

}  // namespace

Result<std::vector<ImportRecord>> import_sessions(const gc::Services& services,
                                                  const SessionImport& order) {
  HF_TRY(import_sessions_check_order(order));
  const os::Dir dir = HF_TRY(os::Dir::open(order.directory));
  std::vector<std::string> entries;
  HF_TRY(dir.each_entry([&](std::string_view entry, os::FileType) {
    if (is_session_name(entry, order.prefix)) entries.emplace_back(entry);
    return os::Visit::kContinue;
  }));
  std::ranges::sort(entries);
  SessionImporter importer(services, order, dir);
  std::vector<ImportRecord> records;
  for (const std::string& entry : entries) {
    if (services.stop.raised()) break;
    records.push_back(HF_TRY(importer.take(entry)));
  }
  return records;
}

}  // namespace holdfast::cli
