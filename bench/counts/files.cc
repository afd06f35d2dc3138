// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "file/replace/replace.h"
#include "format/file/block_change.h"
#include "format/file/ledger_edit.h"
#include "operation.h"
#include "os/machine/sha256.h"

namespace holdfast::bench {
namespace {

// 1 KiB, each time another content.
void replace_small(std::uint64_t times) {
  constexpr std::size_t kBytes = 1024;
  for (std::uint64_t i = 0; i < times; ++i) {
    const std::string content(kBytes, static_cast<char>('a' + i % 2));
    const auto done =
        must(file::replace("replaced", content, {.durability = file::Durability::kNone}));
    must(done.changed, "nothing was replaced");
  }
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "export NUMBER=" + std::to_string(1000 + i) + "\n";
  return text;
}

// Another content for the block at the end of a shell script of 100 lines.
void put_into_script(std::uint64_t times) {
  const BlockSyntax syntax = must(block_syntax("profile.sh", std::nullopt, std::nullopt));
  const BlockTask task{.path = "profile.sh", .syntax = syntax, .id = "paths", .hash = os::sha256};
  std::size_t line = 0;
  const std::string text =
      must(put_block(lines(100), task, {.content = "export OLD=1\nexport SAME=2\n"}, line)).text;
  for (std::uint64_t i = 0; i < times; ++i) {
    const auto change =
        must(put_block(text, task, {.content = "export NEW=1\nexport SAME=2\n"}, line));
    must(change.changed, "the block is the same");
  }
}

// An entry from outside to an array of 20, the oldest of which goes.
void append_to_array(std::uint64_t times) {
  constexpr int kEntries = 20;
  constexpr WallTime kNow = wall_time_from_unix(1'763'200'000, 0);
  std::string bytes(empty_ledger(LedgerFormat::kArray));
  const auto append = [&] {
    const std::string entry = must(stamped_ledger_entry(
        must(checked_ledger_entry(R"({"step":"deploy","code":0,"by":"alpha"})")), "at", kNow,
        LedgerTimes::kOurs));
    const LedgerText ledger = read_ledger(bytes, LedgerNaming::kJson);
    must(ledger.whole(), "the ledger is damaged");
    return must(append_to_ledger(ledger, entry, {.newest = kEntries}));
  };
  for (int i = 0; i < kEntries; ++i) bytes = append().bytes;
  for (std::uint64_t i = 0; i < times; ++i) must(append().dropped == 1, "the cap did not hold");
}

constexpr std::array kOperations{
    Operation{"block-put", put_into_script},
    Operation{"file-replace", replace_small},
    Operation{"ledger-append", append_to_array},
};

}  // namespace

std::span<const Operation> file_operations() { return kOperations; }

}  // namespace holdfast::bench
