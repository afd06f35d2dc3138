// SPDX-License-Identifier: Apache-2.0
#include "journal/write/spill.h"

#include <algorithm>

#include "base/cause.h"
#include "format/journal/journal_record.h"
#include "os/file/staged_file.h"
#include "os/machine/random.h"

namespace holdfast::journal {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kIdChars = 32;
constexpr std::size_t kMarkChars = 1 + kIdChars;
constexpr std::size_t kMaxSpillBytes = std::size_t{16} << 20;

// The time first, so that ids sort as they were made; the rest is random.
Result<Id128> new_id(std::int64_t boot_us) {
  Id128 id = HF_TRY(os::random_id());
  for (std::size_t i = 0; i < 8; ++i) {
    id.bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(boot_us) >> (56 - 8 * i));
  }
  return id;
}

void find_marks(std::string_view text, const std::set<Id128>& wanted, std::set<Id128>& found) {
  for (std::size_t at = text.find('~'); at != std::string_view::npos; at = text.find('~', at + 1)) {
    const auto id = parse_id128(text.substr(at + 1, kIdChars));
    if (id && wanted.contains(*id)) found.insert(*id);
  }
}

// What the merged record must fit into: its number grows, its writer gets the mark.
bool fits(std::string_view line, std::string_view writer) {
  return line.size() + kMarkChars + 20 < kMaxRecordBytes &&
         writer.size() + kMarkChars <= kMaxWriterBytes;
}

}  // namespace

Result<> write_spill(const os::Dir& dir, std::span<const Entry> entries) {
  const Id128 id = HF_TRY(new_id(entries.front().stamp.boot_us));
  // Records like any other, but for their numbers: they get theirs when they are merged.
  Batch lines(Id128{}, ChainEnd{});
  for (const Entry& entry : entries) lines.add(entry);
  os::StagedFile staged = HF_TRY(os::StagedFile::create(dir, 0600));
  HF_TRY(staged.write_all(lines.bytes()));
  // Only events come here: an empty spill has none, a torn one is kept as evidence and passed.
  HF_TRY(staged.give_name(spill_name(id)));
  return {};
}

Result<ReadSpill> read_spill(const os::Dir& dir, const Id128& id) {
  std::optional<os::File> file = HF_TRY(dir.open_file(spill_name(id), os::Access::kRead));
  if (!file) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "merge",
                 .subject = dir.path_of(spill_name(id)),
                 .cause = "spill-gone",
                 .detail = "it is not there any more"});
  }
  const std::string bytes = HF_TRY(file->read_all(kMaxSpillBytes));
  const std::string mark = "~" + to_hex(id);
  ReadSpill spill;
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::size_t newline = rest.find('\n');
    const std::string_view line = rest.substr(0, newline);
    const auto record = decode_record(line);
    if (!record && record.error() == LineFault::kNewerVersion) {
      return fail({.code = ErrorCode::kCannotTell,
                   .op = "merge",
                   .subject = file->path(),
                   .cause = cause::kNewerVersion,
                   .detail = "a later holdfast wrote it"});
    }
    // What the journal says of itself never comes from a spill.
    if (!record || newline == std::string_view::npos || !fits(line, record->fields.writer) ||
        record->fields.type.starts_with("journal.")) {
      return ReadSpill{.entries = {}, .unreadable = bytes};
    }
    const RecordFields& fields = record->fields;
    spill.entries.push_back({.stamp = {.wall_us = fields.wall_us,
                                       .boot_us = fields.boot_us,
                                       .boot = std::string(fields.boot),
                                       .writer = std::string(fields.writer) + mark},
                             .event_class = fields.event_class,
                             .type = std::string(fields.type),
                             .data = std::string(fields.data),
                             .blob_segment = 0});
    rest.remove_prefix(newline + 1);
  }
  return spill;
}

Result<std::set<Id128>> merged_before(const os::Dir& dir, std::span<const SegmentRef> segments,
                                      std::span<const Id128> ids) {
  const std::set<Id128> wanted(ids.begin(), ids.end());
  std::set<Id128> found;
  std::vector<char> buffer(kChunk + kMarkChars);
  for (std::size_t back = 1; back <= std::min<std::size_t>(2, segments.size()); ++back) {
    const SegmentRef& segment = segments[segments.size() - back];
    std::optional<os::File> file = HF_TRY(dir.open_file(segment_name(segment), os::Access::kRead));
    if (!file || segment.compressed) continue;
    std::size_t kept = 0;  // the end of the chunk before: a mark may stand across
    for (std::uint64_t offset = 0;;) {
      const std::size_t got =
          HF_TRY(file->read_into(offset, std::span(buffer).subspan(kept, kChunk)));
      const std::string_view seen(buffer.data(), kept + got);
      find_marks(seen, wanted, found);
      if (got < kChunk) break;
      offset += got;
      kept = kMarkChars - 1;
      std::ranges::copy(seen.substr(seen.size() - kept), buffer.begin());
    }
  }
  return found;
}

Result<> remove_spills(const os::Dir& dir, std::span<const Id128> ids) {
  for (const Id128& id : ids) HF_TRY(dir.remove_file(spill_name(id)));
  return {};
}

}  // namespace holdfast::journal
