// SPDX-License-Identifier: Apache-2.0
#include "file/replace/backup.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "base/cause.h"
#include "file/replace/copy.h"
#include "file/replace/metadata.h"
#include "format/text/rfc3339.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"

namespace holdfast::file {
namespace {

constexpr std::string_view kMark = ".bak-";
constexpr std::string_view kCutShortMark = ".cut-";
constexpr std::string_view kShape = "00000000T000000.000Z";

// The time in the name of a backup.
std::optional<WallTime> time_of(std::string_view backup) {
  std::string text(backup.substr(backup.size() - kShape.size()));
  for (const std::size_t at : {13U, 11U}) text.insert(at, ":");
  for (const std::size_t at : {6U, 4U}) text.insert(at, "-");
  return parse_rfc3339(text);
}

Result<os::SafeName> name_with(const os::SafeName& name, std::string_view mark, WallTime now) {
  return os::SafeName::make(name.str() + std::string(mark) + compact_rfc3339(now));
}

bool is_of(std::string_view entry, const os::SafeName& name, std::string_view mark) {
  if (!entry.starts_with(name.str())) return false;
  entry.remove_prefix(name.str().size());
  if (!entry.starts_with(mark)) return false;
  entry.remove_prefix(mark.size());
  return std::ranges::equal(entry, kShape, [](char c, char shape) {
    return shape == '0' ? c >= '0' && c <= '9' : c == shape;
  });
}

// Those that were made up to now. A name of the far future is not of our making, or of a clock that
// was wrong; it is left alone, and must not hold up the others.
Result<std::vector<std::string>> backups_of(const os::Dir& dir, const os::SafeName& name,
                                            std::string_view mark, WallTime now) {
  constexpr auto kTolerance = std::chrono::hours(24);
  std::vector<std::string> found;
  HF_TRY(dir.each_entry([&](std::string_view entry, os::FileType) {
    if (!is_of(entry, name, mark)) return os::Visit::kContinue;
    const auto time = time_of(entry);
    if (time && *time <= now + kTolerance) found.emplace_back(entry);
    return os::Visit::kContinue;
  }));
  std::ranges::sort(found, std::greater());  // the newest first
  return found;
}

// Tries one name after the other, a millisecond apart, from behind the newest on.
Result<os::SafeName> place(const os::Dir& dir, const os::SafeName& name, std::string_view mark,
                           WallTime now,
                           const std::function<Result<os::Placed>(const os::SafeName&)>& attempt) {
  constexpr auto kStep = std::chrono::milliseconds(1);
  constexpr int kMostTries = 1000;
  const auto others = HF_TRY(backups_of(dir, name, mark, now));
  const auto newest = others.empty() ? std::nullopt : time_of(others.front());
  if (newest) now = std::max(now, *newest + kStep);
  for (int tries = 0; tries < kMostTries; ++tries, now += kStep) {
    os::SafeName candidate = HF_TRY(name_with(name, mark, now));
    if (HF_TRY(attempt(candidate)) == os::Placed::kPlaced) return candidate;
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "find a name for a backup of",
               .subject = dir.path_of(name),
               .cause = cause::kNameTaken,
               .detail = "a thousand names in a row are taken"});
}

}  // namespace

Result<os::SafeName> backup_name(const os::SafeName& name, WallTime now) {
  return name_with(name, kMark, now);
}

bool is_backup_of(std::string_view entry, const os::SafeName& name) {
  return is_of(entry, name, kMark);
}

Result<os::SafeName> keep_displaced(const os::Dir& dir, const os::SafeName& displaced,
                                    const os::SafeName& name, WallTime now) {
  return place(dir, name, kMark, now,
               [&](const os::SafeName& to) { return dir.rename_new(displaced, to); });
}

namespace {

// All that the old file has; where it cannot be given (another's file), the caller's own and
// private.
Result<> dress_copy(os::File& copy, const os::File& old, const os::FileInfo& info) {
  WantedMeta wanted{.mode = info.mode,
                    .owner = Owner{.uid = info.uid, .gid = info.gid},
                    .attributes = std::nullopt,
                    .mode_is_asked = false};
  wanted.attributes = HF_TRY(os::read_attributes(old));
  auto given = give_metadata(copy, wanted);
  if (given || given.error().cause != cause::kMetaNotKept) return given;
  return copy.set_mode(kPrivateFile);
}

Result<os::SafeName> copy_as(const os::Dir& dir, const os::File& old, const os::SafeName& name,
                             std::string_view mark, WallTime now) {
  const os::FileInfo info = HF_TRY(old.info());
  os::StagedFile copy = HF_TRY(os::StagedFile::create(dir, kPrivateFile));
  HF_TRY(copy_content(old, 0, info.size, copy.file()));
  HF_TRY(dress_copy(copy.file(), old, info));
  auto placed =
      place(dir, name, mark, now, [&](const os::SafeName& to) { return copy.publish_new(to); });
  // It is made before the change that it is for: where it may not last, nothing was changed yet.
  if (!placed && placed.error().code == ErrorCode::kNotDurable) {
    placed.error().code = ErrorCode::kIo;
  }
  return placed;
}

void prune(const os::Dir& dir, const os::SafeName& name, std::string_view mark, std::uint32_t most,
           WallTime now) {
  const auto found = backups_of(dir, name, mark, now);
  if (!found) return;
  for (std::size_t i = most; i < found->size(); ++i) {
    const auto old_name = os::SafeName::make((*found)[i]);
    if (old_name) static_cast<void>(dir.remove_file(*old_name));
  }
}

}  // namespace

Result<os::SafeName> keep_copy(const os::Dir& dir, const os::File& old, const os::SafeName& name,
                               WallTime now) {
  return copy_as(dir, old, name, kMark, now);
}

Result<> keep_cut_short(const os::Dir& dir, const os::File& present, const os::SafeName& name,
                        WallTime now) {
  HF_TRY(copy_as(dir, present, name, kCutShortMark, now));
  prune(dir, name, kCutShortMark, kMostCutShort, now);
  return {};
}

void prune_backups(const os::Dir& dir, const os::SafeName& name, std::uint32_t most, WallTime now) {
  prune(dir, name, kMark, most, now);
}

}  // namespace holdfast::file
