// SPDX-License-Identifier: Apache-2.0
#include "file/ledger/ledger_copy.h"

#include <algorithm>
#include <vector>

#include "file/ledger/ledger.h"
#include "file/replace/metadata.h"
#include "format/text/rfc3339.h"
#include "os/file/staged_file.h"

namespace holdfast::file {
namespace {

// 2026-11-15T14:02:53.123Z without the characters that some file systems do not take.
std::string ledger_copy_compact_time(WallTime now) {
  std::string text = format_rfc3339(now);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

Result<std::vector<os::SafeName>> copies_of(const Target& target, const std::string& prefix) {
  std::vector<std::string> names;
  HF_TRY(target.dir.each_entry([&](std::string_view name, os::FileType) {
    if (name.starts_with(prefix)) names.emplace_back(name);
    return os::Visit::kContinue;
  }));
  std::vector<os::SafeName> copies;
  for (const std::string& name : names) copies.push_back(HF_TRY(os::SafeName::make(name)));
  return copies;
}

// A thing that cannot be read is not the same: then a new copy is made.
bool has_bytes(const os::Dir& dir, const os::SafeName& name, std::string_view bytes) {
  const auto info = dir.info(name);
  if (!info || !*info || (*info)->type != os::FileType::kRegular || (*info)->size != bytes.size()) {
    return false;
  }
  auto file = dir.open_file(name, os::Access::kRead);
  if (!file || !*file) return false;
  const auto content = (*file)->read_all(bytes.size());
  return content && *content == bytes && (*file)->sync();
}

// "Not durable" would say that the ledger is mended; it was not touched yet. A copy that is there
// but may not stay is found again by the next repair.
Error ledger_copy_not_kept(Error error) {
  if (error.code != ErrorCode::kNotDurable) return error;
  error.code = ErrorCode::kIo;
  error.detail += "; the ledger itself was not changed";
  return error;
}

}  // namespace

Result<std::string> keep_damaged_copy(const Target& target, const os::File& damaged,
                                      std::string_view bytes, WallTime now) {
  const std::string prefix = target.name.str() + ".corrupt-";
  const std::vector<os::SafeName> copies = HF_TRY(copies_of(target, prefix));
  for (const os::SafeName& name : copies) {
    if (!has_bytes(target.dir, name, bytes)) continue;
    HF_TRY(target.dir.sync());
    return name.str();
  }
  if (copies.size() >= kMostDamagedCopies) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "keep a copy of the damaged ledger",
                 .subject = target.path,
                 .cause = "too-many-copies",
                 .detail = "there are " + std::to_string(copies.size()) + " of them already (" +
                           prefix +
                           "…); look at them and remove what is not needed. Nothing was "
                           "changed"});
  }
  const os::FileInfo info = HF_TRY(damaged.info());
  os::StagedFile copy = HF_TRY(os::StagedFile::create(target.dir, 0600));
  HF_TRY(copy.write_all(bytes));
  HF_TRY(give_metadata(copy.file(), {.mode = info.mode,
                                     .owner = Owner{.uid = info.uid, .gid = info.gid},
                                     .attributes = std::nullopt,
                                     .mode_is_asked = false}));
  // Another name of this millisecond is passed by.
  for (;; now += std::chrono::milliseconds(1)) {
    const os::SafeName name = HF_TRY(os::SafeName::make(prefix + ledger_copy_compact_time(now)));
    const auto placed = copy.publish_new(name);
    if (!placed) return fail(ledger_copy_not_kept(placed.error()));
    if (*placed == os::Placed::kPlaced) return name.str();
  }
}

}  // namespace holdfast::file
