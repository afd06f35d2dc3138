// SPDX-License-Identifier: Apache-2.0
//
// Batch: records that follow each other in the chain, made ready to be written by one call.
//
// It knows where the journal ends (seq and hash) and carries both forward with each record. Nothing
// in it is part of the journal until its bytes are in the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/digest.h"
#include "base/event.h"
#include "base/id128.h"

namespace holdfast::journal {

// When and by whom: what each record carries beside its event.
struct Stamp {
  std::int64_t wall_us = 0;
  std::int64_t boot_us = 0;
  std::string boot;  // 8 hex digits
  std::string writer;
};

// Where a journal ends: what the next record continues from. {0, zeros} is the beginning.
struct ChainEnd {
  std::uint64_t seq = 0;
  Digest hash;
};

// An event, stamped and ready to become a record.
struct Entry {
  Stamp stamp;
  EventClass event_class = EventClass::kEvent;
  std::string type;
  std::string data;
  std::uint64_t blob_segment = 0;  // of the blob that `data` speaks of, if it does
};

class Batch {
 public:
  Batch(const Id128& journal, const ChainEnd& end) : journal_(journal), end_(end) {
    bytes_.reserve(512);  // most batches are one record
  }

  void add(const Entry& entry);
  // Records lost `seq` numbers that must not be given again.
  void skip_to(std::uint64_t last_lost_seq) { end_.seq = last_lost_seq; }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] const ChainEnd& end() const { return end_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  Id128 journal_;
  ChainEnd end_;
  std::string bytes_;
};

}  // namespace holdfast::journal
