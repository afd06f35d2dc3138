// SPDX-License-Identifier: Apache-2.0
//
// What tests of reading share: a journal made byte by byte in a directory of its own.
#pragma once

#include <gtest/gtest.h>  // lint: os_only only tests include this

#include <string>
#include <vector>

#include "journal/read/scan.h"
#include "journal/read/snapshot.h"
#include "journal/write/journal_builder.h"
#include "testing/temp_dir.h"

namespace holdfast::journal {

// "gap" or "gap (explained)", in order.
inline std::vector<std::string> kinds(const std::vector<Damage>& damaged) {
  std::vector<std::string> out;
  for (const Damage& one : damaged) out.push_back(one.kind + (one.explained ? " (explained)" : ""));
  return out;
}
using Kinds = std::vector<std::string>;

class ReaderTest : public ::testing::Test {
 protected:
  Snapshot snapshot() {
    journal_.save(temp_.dir());
    return open();
  }
  Snapshot open() {
    auto snapshot = Snapshot::open(temp_.dir());
    if (!snapshot) std::abort();  // lint: no_output only tests include this
    return *std::move(snapshot);
  }
  // The numbers that a scan visits; its result in scanned_.
  std::vector<std::uint64_t> scanned(const ScanRequest& request = {}) {
    std::vector<std::uint64_t> seqs;
    const Snapshot now = snapshot();
    auto result = scan(now, request, [&](const ScannedRecord& record) -> Result<os::Visit> {
      seqs.push_back(record.record.fields.seq);
      return seqs.size() == stop_after_ ? os::Visit::kStop : os::Visit::kContinue;
    });
    EXPECT_TRUE(result) << to_sentence(result.error());
    if (result) scanned_ = *std::move(result);
    return seqs;
  }

  testing::TempDir temp_;
  JournalBuilder journal_;
  ScanResult scanned_;
  std::size_t stop_after_ = 0;
};

using Seqs = std::vector<std::uint64_t>;

}  // namespace holdfast::journal
