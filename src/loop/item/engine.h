// SPDX-License-Identifier: Apache-2.0
//
// The loop itself: asks the source, starts what is due, accounts for what has ended, waits.
//
// Guarantees: one loop works on a name at a time (the lock `loop:NAME`); the second is told who. An
// item is in exactly one state, on record before and after every act. Nothing new is started while
// the source cannot tell, while the loop is paused, or where a budget of the day is used up; what
// is under way is brought to its end all the same. A run holds its place among `concurrency` until
// its end is proven: a runaway that cannot be ended keeps others from starting.
//
// Death at any point: the acts under way go on by themselves, and the next loop finds them
// (loop/intent/intent.h).
//
// Waiting is by the kernel: for the ends of supervisors, for changes of the loop's directory (`loop
// retry`, `loop pause`), for signals, and for the next time at which something is due. What cannot
// be waited for (an orphan that could not be adopted, a supervisor of another namespace) is looked
// at each second.
//
// Errors: kBusy `loop-busy`; those of the log and the directory; kCannotTell of the source only
// with `once` (else it is told, and asked again).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/loop/loop_file.h"
#include "loop/intent/intent.h"
#include "loop/item/account.h"
#include "loop/item/item_command.h"
#include "loop/item/item_intent.h"
#include "loop/item/item_log.h"
#include "loop/item/loop_dir.h"
#include "loop/item/source.h"
#include "os/watch/watch.h"

namespace holdfast::loop {

// What happened, for whoever watches.
class LoopListener {
 public:
  virtual ~LoopListener() = default;
  virtual void say(const std::string& line) = 0;   // something was begun, or ended
  virtual void warn(const std::string& line) = 0;  // something needs a look
};

struct LoopRequest {
  bool once = false;     // one pass: each due item at most once, and wait for what was begun
  bool no_wait = false;  // one pass, and leave what was begun to the next one
};

struct LoopReport {
  std::uint64_t begun = 0;  // runs
  std::uint64_t ended = 0;  // of them, and of earlier ones
  std::uint64_t listed = 0;
  std::vector<std::string> ids{};       // that passed the filters, the last time, best first
  std::optional<Error> source{};        // why it could not tell, the last time it was asked
  std::optional<std::string> paused{};  // why
  std::string budget{};                 // which one is used up
  std::optional<int> signal{};          // that asked to end
};

class Engine {
 public:
  Engine(const LoopServices& services, const LoopFile& file, const LoopDir& dir, ItemLog& log,
         LoopListener& listener, ProfileOrder profile)
      : services_(services),
        file_(file),
        dir_(dir),
        log_(log),
        listener_(listener),
        profile_(std::move(profile)) {}

  Result<LoopReport> run(const LoopRequest& request);

 private:
  struct Under {
    os::Handle supervisor{};
    std::optional<os::Pid> child{};  // where it is our own
  };

  Result<> take_lock();
  Result<bool> round(const LoopRequest& request);

  // engine_notice.cc
  Result<bool> start_notice(const std::string& id);

  // engine_source.cc
  Result<> look_at_source(const LoopRequest& request);
  Result<> note_absent();

  // engine_account.cc
  Result<bool> account_for_all();
  Result<bool> account_for(const std::string& id, Channel channel);
  Result<bool> account_finding(const std::string& id, Channel channel, const IntentFinding& found,
                               const ItemAct& act);
  Result<> account_over(const std::string& id, Channel channel, const ActEnd& end);
  Result<> account_unstarted(const std::string& id, Channel channel);
  Result<> account_untried(const std::string& id, Channel channel, const SessionRecord& record);
  Result<> note_unreadable(const std::string& id, Channel channel, const std::string& why);
  // engine_orphan.cc
  Result<bool> deal_with_orphan(const std::string& id, Channel channel, const ItemAct& act);
  Result<bool> assume_gone(const std::string& id, Channel channel, const ItemAct& act);
  Result<> note_unseen(const std::string& id, Channel channel, const ItemAct& act,
                       const std::optional<TimeMark>& since);
  void follow(const ItemAct& act, const session::SessionView& view);
  void leave(const ItemAct& act);
  void tell_of_change(const ItemRecord& before, const Accounted& after);

  // engine_start.cc
  Result<bool> start_due_acts();
  Result<bool> start_due_runs(const LoopRequest& request);
  Result<bool> claim(const SourceItem& item);
  Result<bool> settle_without_command(const std::string& id);
  Result<bool> start_follow_up(const std::string& id);
  Result<> start(const std::string& id, ItemPurpose purpose);
  Result<> put_off(const std::string& id, Channel channel, bool busy, const std::string& why);
  Result<> start_failed(const std::string& id, Channel channel, const ItemAct& act,
                        const Error& error);
  [[nodiscard]] LoopDay today() const;

  Result<> wait();
  void drop_ended();
  [[nodiscard]] std::optional<Duration> until_next() const;

  [[nodiscard]] Result<TimeMark> now() const { return moment_now(services_.clock); }
  [[nodiscard]] ItemIntent intent(const std::string& id, Channel channel) {
    return {services_, log_, *lock_, id, channel};
  }
  void tell(std::string_view type, const ItemRecord& item);

  const LoopServices& services_;
  const LoopFile& file_;
  const LoopDir& dir_;
  ItemLog& log_;
  LoopListener& listener_;
  ProfileOrder profile_;

  std::unique_ptr<lock::Lock> lock_;
  std::optional<os::DirWatch> watch_;
  std::optional<SourceAnswer> source_;
  std::optional<TimeMark> asked_;  // the source
  std::set<std::string> tried_;    // in this pass
  std::map<Id128, Under> under_;
  std::vector<os::Pid> children_;  // supervisors of ours that are to be reaped
  bool must_poll_ = false;
  std::set<std::string> warned_;  // of each trouble once
  std::string source_trouble_;
  LoopReport report_;
};

}  // namespace holdfast::loop
