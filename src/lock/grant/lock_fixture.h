// SPDX-License-Identifier: Apache-2.0
//
// What tests of this folder share: a directory that plays HOME/locks, a sink that keeps what it was
// told, and seats.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lock/grant/local_lock.h"
#include "os/machine/real_clock.h"
#include "testing/temp_dir.h"

namespace holdfast::lock {

class KeptEvents final : public EventSink {
 public:
  Result<EventReceipt> record(const Event& event) override {
    const std::scoped_lock held(mutex_);
    if (refuses_) return fail({.code = ErrorCode::kIo, .op = "record", .cause = "enospc"});
    types_.emplace_back(event.type);
    data_.push_back(event.data.json());
    return EventReceipt{.kept = EventReceipt::Kept::kDurable, .seq = types_.size()};
  }
  void refuse() { refuses_ = true; }
  [[nodiscard]] std::vector<std::string> types() const {
    const std::scoped_lock held(mutex_);
    return types_;
  }
  [[nodiscard]] std::string data_of(std::string_view type) const {
    const std::scoped_lock held(mutex_);
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[i] == type) return data_[i];
    }
    return "(none)";
  }

 private:
  mutable std::mutex mutex_;
  bool refuses_ = false;
  std::vector<std::string> types_;
  std::vector<std::string> data_;
};

class LockFixture : public ::testing::Test {
 protected:
  using Kind = AcquireOutcome::Kind;

  [[nodiscard]] std::unique_ptr<Lock> seat(std::string name = "deploy") {
    auto lock = backend_.open({.kind = LockId::Kind::kNamed, .text = std::move(name)});
    EXPECT_TRUE(lock) << (lock ? "" : to_sentence(lock.error()));
    return std::move(*lock);
  }
  // Null where it fails, for sweeps.
  [[nodiscard]] std::unique_ptr<Lock> try_seat() {
    auto lock = backend_.open({.kind = LockId::Kind::kNamed, .text = "deploy"});
    return lock ? std::move(*lock) : nullptr;
  }
  [[nodiscard]] std::unique_ptr<Lock> seat_of_file(const std::string& path) {
    auto lock = backend_.open({.kind = LockId::Kind::kFile, .text = path});
    EXPECT_TRUE(lock) << (lock ? "" : to_sentence(lock.error()));
    return std::move(*lock);
  }
  [[nodiscard]] Place place(std::string name = "deploy") {
    auto found = backend_.place_of({.kind = LockId::Kind::kNamed, .text = std::move(name)});
    EXPECT_TRUE(found);
    return std::move(*found);
  }
  [[nodiscard]] LockRecord record(const std::string& name = "deploy") {
    const auto ledger = Ledger::open(place(name));
    EXPECT_TRUE(ledger && *ledger);
    const auto newest = (*ledger)->read();
    EXPECT_TRUE(newest) << (newest ? "" : to_sentence(newest.error()));
    return newest->record;
  }

  static Kind kind_of(const Result<AcquireOutcome>& outcome) {
    EXPECT_TRUE(outcome) << (outcome ? "" : to_sentence(outcome.error()));
    return outcome ? outcome->kind : Kind::kCancelled;
  }

  testing::TempDir tmp_;
  os::RealClock clock_;
  KeptEvents events_;
  LocalBackend backend_{tmp_.dir(), clock_, &events_};
};

}  // namespace holdfast::lock
