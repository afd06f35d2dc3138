// SPDX-License-Identifier: Apache-2.0
//
// JournalBuilder: a journal directory for tests, byte by byte as a writer would leave it, and
// broken in the ways that disks, editors and other programs break one. It shares with the writer
// only the codecs.
//
//   JournalBuilder journal(temp.dir());
//   journal.append("lock.busy", R"({"lock":"deploy"})").append("x.other").next_segment();
//   journal.save();                      // writes what is not written yet
//   journal.segment(0)[17] ^= 1;         // the text of a segment is a string
//   journal.save();
//
// Everything is deterministic: the same calls make the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/event.h"
#include "base/id128.h"
#include "format/journal/journal_payload.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

class JournalBuilder {
 public:
  static Id128 default_id();

  explicit JournalBuilder(const Id128& id = default_id());

  // ---- what a writer does ----
  JournalBuilder& append(std::string_view type, std::string_view data = "{}");
  JournalBuilder& append(std::string_view type, const EventData& data);
  JournalBuilder& append(std::size_t count, std::string_view type, std::string_view data = "{}");
  JournalBuilder& seal();
  // Seals the segment unless it is, and opens the next one.
  JournalBuilder& next_segment();
  // As next_segment, but the old one gets no seal.
  JournalBuilder& next_segment_without_seal();
  // Leaves out numbers, as a writer does that knows of records that are gone.
  JournalBuilder& skip(std::uint64_t numbers);

  // Of the records that follow.
  JournalBuilder& at(std::int64_t wall_us);
  JournalBuilder& step_us(std::int64_t each) { return step_us_ = each, *this; }
  JournalBuilder& by(std::string_view writer) { return writer_ = writer, *this; }
  JournalBuilder& of_class(EventClass event_class) { return class_ = event_class, *this; }

  // ---- what goes wrong ----
  [[nodiscard]] std::size_t segments() const { return segments_.size(); }
  std::string& segment(std::size_t number) { return segments_[number].text; }
  std::string& last() { return segments_.back().text; }
  [[nodiscard]] std::uint64_t first_seq(std::size_t number) const {
    return segments_[number].first_seq;
  }
  // The offset of line `line` (from 0) of a segment.
  [[nodiscard]] std::size_t line(std::size_t segment, std::size_t line) const;
  // The next record is chained to the record before the last and gets the last one's number.
  JournalBuilder& fork();
  // The next record is written as version 2.
  JournalBuilder& append_newer();

  // Writes all segments to `dir`; files that are there are replaced.
  void save(const os::Dir& dir) const;

  [[nodiscard]] const Id128& id() const { return id_; }
  [[nodiscard]] std::uint64_t last_seq() const { return next_seq_ - 1; }
  [[nodiscard]] const Digest& head() const { return head_; }
  [[nodiscard]] std::int64_t wall_us() const { return wall_us_; }

 private:
  struct Segment {
    std::uint64_t first_seq;
    std::string text;
  };

  void open(bool first);
  void write(std::string_view type, std::string_view data);

  Id128 id_;
  std::vector<Segment> segments_;
  std::uint64_t next_seq_ = 1;
  Digest head_{};
  Digest before_head_{};
  std::int64_t wall_us_ = 1'763'200'000'000'000;
  std::int64_t step_us_ = 1000;
  std::int64_t boot_us_ = 86'400'000'000;
  std::string writer_ = "4711.88231";
  EventClass class_ = EventClass::kEvent;
};

// Puts `bytes` under `name` in `dir`, replacing what is there.
void put_file(const os::Dir& dir, std::string_view name, std::string_view bytes);

}  // namespace holdfast::journal
