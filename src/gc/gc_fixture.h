// SPDX-License-Identifier: Apache-2.0
//
// A home of its own for clean-ups: dead workspaces in it and outside of it, and one that lives.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "gc/sweep.h"
#include "gc/trash.h"
#include "os/machine/random.h"
#include "os/machine/real_clock.h"
#include "session/record/session_fixture.h"
#include "session/workspace/outside.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_new.h"
#include "testing/temp_dir.h"

namespace holdfast::gc {

// Locks of names that everybody gets, but for one.
class EasyLocks final : public lock::LockBackend {
 public:
  class Seat final : public lock::Lock {
   public:
    explicit Seat(bool busy) : busy_(busy) {}
    Result<lock::AcquireOutcome> acquire(const lock::AcquireRequest& /*request*/) override {
      lock::AcquireOutcome outcome;
      if (!busy_) outcome.kind = lock::AcquireOutcome::Kind::kGranted;
      return outcome;
    }
    Result<lock::Owned> set_work(const ProcessIdentity& /*work*/) override { return kOwn; }
    Result<lock::Owned> renew(Beat /*beat*/) override { return kOwn; }
    Result<lock::Owned> check() override { return kOwn; }
    Result<lock::Owned> release() override { return kOwn; }
    void leave() override {}
    [[nodiscard]] const std::optional<lock::Grant>& grant() const override { return grant_; }
    [[nodiscard]] const std::string& ledger_path() const override { return text_; }
    [[nodiscard]] ChainEntry chain_entry() const override { return {}; }
    [[nodiscard]] os::NativeHandle life() const override { return -1; }
    [[nodiscard]] os::NativeHandle not_for_children() const override { return -1; }
    [[nodiscard]] const std::string& label() const override { return text_; }

   private:
    static constexpr lock::Owned kOwn = lock::Owned::kYes;
    bool busy_;
    std::optional<lock::Grant> grant_;
    std::string text_;
  };
  Result<std::unique_ptr<lock::Lock>> open(const lock::LockId& id) override {
    return std::make_unique<Seat>(id.text == busy);
  }
  std::string busy;  // somebody runs as this: "session:NAME"
};

// There are no loops, steps and series.
inline Result<ClaimOn> nobody_counts() {
  return [](const session::SessionDir& /*session*/) -> Result<std::optional<std::string>> {
    return std::nullopt;
  };
}

class KeptEvents final : public EventSink {
 public:
  Result<EventReceipt> record(const Event& event) override {
    if (refuse) return fail({.code = ErrorCode::kCannotTell, .cause = "journal-busy"});
    types.emplace_back(event.type);
    return EventReceipt{};
  }
  std::vector<std::string> types;
  bool refuse = false;
};

class GcFixture : public ::testing::Test {
 protected:
  void fresh() {
    tmp_.clear();
    std::filesystem::create_directories(at("sessions"));
    std::filesystem::permissions(at("sessions"), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::string at(const std::string& path) const {
    return tmp_.path() + (path.starts_with("sessions") ? "/home/" : "/") + path;
  }
  [[nodiscard]] bool there(const std::string& path) const {
    return std::filesystem::symlink_status(at(path)).type() !=
           std::filesystem::file_type::not_found;
  }
  void put(const std::string& path) const { std::ofstream(at(path)) << "x"; }
  [[nodiscard]] session::SessionStore store() const {
    return session::SessionStore(*os::Dir::open(at("sessions")));
  }

  [[nodiscard]] static WorkspaceRecord record(const std::string& name) {
    WorkspaceRecord record;
    record.name = name;
    record.id = *os::random_id();
    record.created = os::RealClock().wall();
    record.born = *session::boot_moment_now();
    record.renewed = record.born;
    return record;
  }
  [[nodiscard]] static WorkspaceRecord ended(const std::string& name) {
    WorkspaceRecord over = record(name);
    over.state = WorkspaceState::kEnded;
    over.ended = WorkspaceEnd{.at = over.created, .reason = ""};
    return over;
  }
  void outside(WorkspaceRecord& record, const std::string& path) const {
    std::filesystem::create_directories(at(path));
    put(path + "/file");
    const auto info = os::Dir::open(at(path))->info();
    record.outside = true;
    record.directory = at(path);
    record.device = info->id.device;
    record.inode = info->id.inode;
  }
  void publish(const WorkspaceRecord& record) const {
    if (record.outside) list(record);
    ASSERT_TRUE(session::publish_workspace_record(store(), record));
  }

  // The entry of session/workspace/outside.h, without which a record is not believed.
  void list(const WorkspaceRecord& record) const {
    session::OutsideEntry entry{.id = record.id,
                                .name = record.name,
                                .directory = record.directory,
                                .device = record.device,
                                .inode = record.inode};
    ASSERT_TRUE(session::write_outside(store(), entry));
  }

  // The answer of one clean-up without a grace.
  Result<> clean(Options options = {}) {
    options.grace = Duration::zero();
    report_ = {};
    const session::SessionStore sessions = store();
    const os::Dir home = *os::Dir::open(at("home"));
    const Services services{.sessions = sessions,
                            .home = home,
                            .locks = locks_,
                            .events = events_,
                            .clock = clock_,
                            .stop = stop_,
                            .claims = nobody_counts};
    return sweep(services, options, report_);
  }
  [[nodiscard]] static std::string reason(const std::vector<Line>& lines, const std::string& name) {
    for (const Line& line : lines) {
      if (line.name == name) return line.reason;
    }
    return "";
  }

  testing::TempDir tmp_;
  os::RealClock clock_;
  EasyLocks locks_;
  KeptEvents events_;
  os::Flag stop_;
  Report report_;
};

}  // namespace holdfast::gc
