// SPDX-License-Identifier: Apache-2.0
//
// What tests of the writer share: a journal in a temporary directory, and questions about it that
// are answered by the reader's code, which shares nothing with the writer's but the format.
#pragma once

#include <gtest/gtest.h>  // lint: os_only only tests include this

#include <filesystem>  // lint: os_only only tests include this
#include <fstream>     // lint: os_only only tests include this
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/printable.h"
#include "journal/read/query.h"
#include "journal/read/verify.h"
#include "journal/write/journal.h"
#include "testing/manual_clock.h"
#include "testing/temp_dir.h"

namespace holdfast::journal {

class JournalFixture : public ::testing::Test {
 protected:
  using Kept = EventReceipt::Kept;

  Result<std::unique_ptr<Journal>> try_open(JournalOptions options = {}) {
    options.writer = "4711.88231";
    if (options.clock == nullptr) options.clock = &clock_;
    return Journal::open(HF_TRY(os::Dir::open(tmp_.path())), std::move(options));
  }
  std::unique_ptr<Journal> open(JournalOptions options = {}) {
    auto journal = try_open(std::move(options));
    if (!journal) {
      ADD_FAILURE() << to_sentence(journal.error());
      std::abort();  // lint: no_output only tests include this
    }
    return *std::move(journal);
  }
  static Event numbered(int number, EventClass at_least = EventClass::kEvent) {
    return {.type = "x.test", .data = EventData().number("i", number), .at_least = at_least};
  }

  VerifyResult verified() {
    const auto snapshot = Snapshot::open(tmp_.dir());
    if (!snapshot) return ADD_FAILURE() << to_sentence(snapshot.error()), VerifyResult{};
    auto result = verify(*snapshot);
    if (!result) return ADD_FAILURE() << to_sentence(result.error()), VerifyResult{};
    return *std::move(result);
  }
  // Nothing is wrong but what a record of the journal accounts for.
  void expect_sound() {
    for (const Damage& damage : verified().damaged) {
      EXPECT_TRUE(damage.explained) << damage.kind << " in segment " << damage.segment << " at "
                                    << damage.offset << ": " << damage.says;
    }
  }
  struct Seen {
    std::uint64_t seq;
    std::string type;
    std::string data;
    std::string writer;
  };
  std::vector<Seen> records(std::string type = "*") {
    std::vector<Seen> seen;
    const auto snapshot = Snapshot::open(tmp_.dir());
    if (!snapshot) return ADD_FAILURE() << to_sentence(snapshot.error()), seen;
    QueryRequest request;
    request.filter.types = {std::move(type)};
    const auto result = query(*snapshot, request, [&](const QueriedRecord& record) {
      const RecordFields& f = record.at.record.fields;
      seen.push_back({f.seq, std::string(f.type), std::string(record.data), std::string(f.writer)});
      return Result<os::Visit>(os::Visit::kContinue);
    });
    EXPECT_TRUE(result) << to_sentence(result.error());
    return seen;
  }
  // The numbers in the data of x.test records, in order.
  std::vector<int> numbers() {
    std::vector<int> all;
    for (const Seen& seen : records("x.test")) {
      all.push_back(std::stoi(seen.data.substr(std::string_view(R"({"i":)").size())));
    }
    return all;
  }

  std::vector<std::string> files(std::string_view prefix) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(tmp_.path())) {
      std::string name = entry.path().filename().string();
      if (name.starts_with(prefix)) names.push_back(std::move(name));
    }
    std::ranges::sort(names);
    return names;
  }
  std::string newest() { return tmp_.path(files("seg-").back()); }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  testing::TempDir tmp_;
  testing::ManualClock clock_;
};

}  // namespace holdfast::journal
