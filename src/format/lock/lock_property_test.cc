// SPDX-License-Identifier: Apache-2.0
// Any record and any chain is read back as it was written.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "format/lock/lock_chain.h"
#include "format/lock/lock_test_values.h"

namespace holdfast {
namespace {

template <typename Enum>
Enum some_choice(Enum last) {
  return static_cast<Enum>(*rc::gen::inRange(0, static_cast<int>(last) + 1));
}

Id128 some_id() { return {.bytes = *rc::gen::arbitrary<std::array<std::uint8_t, 16>>()}; }

ProcessIdentity some_identity() {
  ProcessIdentity process;
  process.boot = some_id();
  process.machine = some_id();
  process.pidns = *rc::gen::arbitrary<std::uint64_t>();
  process.timens = *rc::gen::arbitrary<std::uint64_t>();
  process.pid = *rc::gen::inRange(0, std::numeric_limits<std::int32_t>::max());
  process.start = *rc::gen::arbitrary<std::uint64_t>();
  process.pidfs = *rc::gen::arbitrary<std::uint64_t>();
  process.uid = *rc::gen::arbitrary<std::uint32_t>();
  return process;
}

std::string some_text(std::size_t most) {
  auto text = *rc::gen::arbitrary<std::string>();
  text.resize(std::min(text.size(), most));
  return text;
}

LockRecord some_record() {
  LockRecord record;
  record.seq = *rc::gen::arbitrary<std::uint64_t>();
  record.state = some_choice(LockState::kRetired);
  record.mode = some_choice(LockMode::kShared);
  record.binding = some_choice(LockBinding::kTtl);
  record.yields = some_choice(LockYields::kKill);
  record.cause = some_choice(LockCause::kRetiredIdle);
  record.epoch = *rc::gen::arbitrary<std::uint64_t>();
  record.generation = *rc::gen::arbitrary<std::uint64_t>();
  record.token = some_id();
  record.work = some_identity();
  record.keeper = some_identity();
  for (auto* time : {&record.ttl_ns, &record.deadline_ns, &record.beat_ns, &record.progress_ns,
                     &record.since_ns, &record.changed_ns}) {
    *time = *rc::gen::arbitrary<std::int64_t>();
  }
  record.host = some_text(kMaxHost);
  record.reason = some_text(kMaxReason);
  record.command = some_text(kMaxCommand);
  return record;
}

RC_GTEST_PROP(LockProperty, ARecordIsReadAsItWasWritten, ()) {
  const LockRecord record = some_record();
  const auto read = decode_lock_record(encoded<kRecordBytes>(record));
  RC_ASSERT(read.has_value() && read->has_value());
  RC_ASSERT(**read == record);
}

RC_GTEST_PROP(LockProperty, TheNewestOfTwoIsTheOneOfTheHigherNumber, ()) {
  LockRecord a = some_record();
  LockRecord b = some_record();
  RC_PRE(a.seq != b.seq);
  const auto newest = newest_record(encoded<kRecordBytes>(a), encoded<kRecordBytes>(b));
  RC_ASSERT(newest.has_value());
  RC_ASSERT(newest->record == (a.seq > b.seq ? a : b));
  RC_ASSERT(newest->slot == (a.seq > b.seq ? 0 : 1));
}

RC_GTEST_PROP(LockProperty, AWriteThatIsTornAnywhereLeavesTheRecordBefore, ()) {
  LockRecord before = some_record();
  LockRecord oldest = some_record();
  LockRecord after = some_record();
  oldest.seq = 1;
  before.seq = 2;
  after.seq = 3;
  const std::string whole = encoded<kRecordBytes>(after);
  const auto cut = *rc::gen::inRange<std::size_t>(0, kRecordBytes + 1);
  const std::string torn = whole.substr(0, cut) + encoded<kRecordBytes>(oldest).substr(cut);
  const auto newest = newest_record(encoded<kRecordBytes>(before), torn);
  RC_ASSERT(newest.has_value());
  RC_ASSERT(newest->record == (torn == whole ? after : before));
}

RC_GTEST_PROP(LockProperty, AChainIsReadAsItWasWritten, ()) {
  LockChain chain;
  const auto length = *rc::gen::inRange<std::size_t>(0, kMaxChain + 1);
  while (chain.size() < length) {
    ChainEntry entry;
    entry.kind = some_choice(ChainEntry::Kind::kFile);
    entry.token = some_id();
    entry.fence = *rc::gen::arbitrary<std::uint64_t>();
    entry.ledger = "/" + *rc::gen::container<std::string>(rc::gen::nonZero<char>());
    chain.push_back(std::move(entry));
  }
  const std::string text = encode_chain(chain);
  RC_ASSERT(text.find_first_of(std::string_view("\n\0=", 3)) == std::string::npos);
  const auto read = decode_chain(text);
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == chain);
}

}  // namespace
}  // namespace holdfast
