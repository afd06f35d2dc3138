// SPDX-License-Identifier: Apache-2.0
//
// The segment that is written to, as the writer holds it and as those who sync it see it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/id128.h"
#include "journal/store/layout.h"
#include "journal/write/batch.h"
#include "os/file/file.h"

namespace holdfast::journal {

// The cause of an append that must store its blobs anew.
inline constexpr std::string_view kRotatedMeanwhile = "rotated-meanwhile";

struct Limits {
  std::uint64_t segment_bytes = std::uint64_t{64} << 20;
  std::uint64_t segment_records = 1'000'000;
  // Whole sealed segments go, oldest first, when the journal is larger than this.
  std::uint64_t keep_bytes = std::uint64_t{4} << 30;
  // Appends that follow each other faster share a note of where the journal ends, which costs a
  // fifth of an append. Zero for a program that ends at any moment: what it wrote last is noted.
  std::int64_t note_every_us = 1000;
};

// An open segment. The kernel tells a handle of a failed write-back once, whoever asks first;
// `failed` remembers it for every thread that shares the handle.
struct SegmentHandle {
  explicit SegmentHandle(os::File opened) : file(std::move(opened)) {}

  os::File file;
  std::mutex syncing;  // held from asking the kernel until `failed` is set
  std::atomic<bool> failed = false;
};

// The segment that takes the next record.
struct Live {
  SegmentRef ref;
  std::shared_ptr<SegmentHandle> handle;  // shared with whoever syncs it outside the lock
  os::FileId id;                          // of the file, to see that the name still means it
  Id128 journal;
  std::uint64_t number = 1;  // of the segment
  std::uint64_t size = 0;
  ChainEnd end;
};

// Where the appended records are, for whoever syncs them.
struct Written {
  std::uint64_t segment = 0;
  std::uint64_t last_seq = 0;
  std::shared_ptr<SegmentHandle> handle{};
};

}  // namespace holdfast::journal
