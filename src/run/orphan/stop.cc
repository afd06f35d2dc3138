// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the supervisor is asked and dies before it has ended its tree. Its
// session is an orphan then, and is ended as one: a session is looked at again after its supervisor
// has gone, and only a final record ends the waiting.
//
// A thousand at once: each is asked with its directory open for a moment only; then they are waited
// for in portions, because descriptors and watches are few. Those of a later portion end meanwhile
// all the same, so a portion costs one look.
#include "run/orphan/stop.h"

#include <algorithm>
#include <memory>

#include "os/watch/poll.h"
#include "os/watch/watch.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "run/orphan/close_damaged.h"
#include "run/orphan/stop_ask.h"
#include "run/orphan/stop_orphan.h"
#include "session/record/view.h"
#include "supervise/tree_request.h"

namespace holdfast::run {
namespace {

using proc::KillOutcome;

constexpr Duration kMargin = std::chrono::seconds(5);  // for the record and what follows it
constexpr std::size_t kPortion = 256;
constexpr std::size_t kWatches = 64;  // a user has 128 by default
constexpr Duration kLookAgain = std::chrono::seconds(1);

struct One {
  StopReport report{};
  bool waits = false;  // for its supervisor
  bool asked = false;
  bool unread = false;  // it could not be asked, as it reads nothing: tried again at each look
  bool orphan = false;
  Id128 run{};  // that was asked
  os::Handle supervisor{};
  std::optional<os::DirWatch> files{};
  MonoTime looked{};
};

class Stopping {
 public:
  Stopping(const OrphanServices& services, const session::SessionStore& sessions,
           const StopOrder& order)
      : services_(services), sessions_(sessions), order_(order) {}

  std::vector<StopReport> run(const std::vector<std::string>& names);

 private:
  void look_and_ask(One& one);
  Result<> try_look_and_ask(One& one);
  void say(One& one, KillOutcome outcome, std::string evidence, std::string detail = {});
  void wait_for_supervisors();
  void wait_for(std::vector<One*>& portion);
  void watch(One& one, std::size_t number);
  void end_orphans();
  void end_orphans_first();

  const OrphanServices& services_;
  const session::SessionStore& sessions_;
  const StopOrder& order_;
  std::vector<One> all_;
  MonoTime until_{};
};

void Stopping::say(One& one, KillOutcome outcome, std::string evidence, std::string detail) {
  one.waits = false;
  one.report.outcome = outcome;
  one.report.evidence = std::move(evidence);
  one.report.detail = std::move(detail);
}

void Stopping::look_and_ask(One& one) {
  auto looked = try_look_and_ask(one);
  if (looked) return;
  one.waits = false;
  if (order_.assume_gone && looked.error().code == ErrorCode::kCorrupt) {
    one.report = close_damaged(services_, sessions_, one.report.name, order_.reason);
    return;
  }
  one.report.error = std::move(looked).error();
}

// What is true of it now, and what follows. Called again after each change.
Result<> Stopping::try_look_and_ask(One& one) {
  const auto dir = HF_TRY(sessions_.find(one.report.name));
  const auto view = dir ? HF_TRY(session::look(*dir)) : std::nullopt;
  if (!view) {
    say(one, KillOutcome::kGone, "no-such-session");
    return {};
  }
  one.report.state = view->state;
  if (!view->known) {
    say(one, KillOutcome::kUnproven, view->evidence);
    return {};
  }
  if (is_final(view->record.state)) {
    say(one, one.asked ? KillOutcome::kKilled : KillOutcome::kGone, "recorded");
    return {};
  }
  if (view->state == SessionState::kOrphaned || is_final(view->state)) {
    one.waits = false;
    one.orphan = true;
    return {};
  }
  if (one.asked && view->record.run != one.run) {
    say(one, KillOutcome::kKilled, "recorded");
    return {};
  }
  if (one.asked) {
    wake_if_stopped(services_.locks, *dir, view->record);
    return {};
  }
  const auto asked = HF_TRY(ask_to_stop(services_.locks, *dir, view->record, order_));
  one.asked = asked == StopAsked::kAsked;
  one.run = view->record.run;
  if (one.asked || !one.waits) {  // not at each try
    const Duration grace = order_.grace.value_or(view->record.order.grace);
    until_ = order_.until.value_or(
        std::max(until_, services_.clock.mono() + grace + supervise::kPatience + kMargin));
  }
  one.waits = true;
  one.unread = asked == StopAsked::kFull;
  if (one.asked || one.unread) return {};
  // Before its start it does not listen yet: then it is asked when its record changes.
  if (view->state == SessionState::kReserved || view->state == SessionState::kStarting) return {};
  const auto again = HF_TRY(session::look(*dir));
  if (again && again->record.state != view->record.state) return try_look_and_ask(one);
  say(one, KillOutcome::kUnproven, "nobody-listens",
      "the process that its record calls the supervisor lives, and does not listen");
  return {};
}

void Stopping::watch(One& one, std::size_t number) {
  const auto dir = sessions_.find(one.report.name);
  if (!dir || !*dir) return;
  if (number < kWatches) {
    if (auto files = os::DirWatch::open((*dir)->dir())) one.files.emplace(*std::move(files));
  }
  const auto record = (*dir)->read();
  if (!record || !*record) return;
  proc::LifeVerdict verdict = proc::judge(proc::from_record((*record)->supervisor));
  one.supervisor = std::move(verdict.pidfd);
}

void Stopping::wait_for_supervisors() {
  for (std::size_t from = 0; from < all_.size(); from += kPortion) {
    std::vector<One*> portion;
    for (std::size_t i = from; i < std::min(from + kPortion, all_.size()); ++i) {
      if (all_[i].waits) portion.push_back(&all_[i]);
    }
    // A change from here on wakes; the look after it sees what was before.
    for (std::size_t i = 0; i < portion.size(); ++i) watch(*portion[i], i);
    for (One* one : portion) look_and_ask(*one);
    wait_for(portion);
    for (One* one : portion) {
      one->supervisor.reset();
      one->files.reset();
    }
  }
}

void Stopping::wait_for(std::vector<One*>& portion) {
  for (;;) {
    std::erase_if(portion, [](const One* one) { return !one->waits; });
    if (portion.empty()) return;
    const MonoTime now = services_.clock.mono();
    if (now >= until_) break;
    std::vector<const os::Handle*> handles;
    // A supervisor that was being stopped when it was asked is woken at a later look; and one that
    // cannot be watched is looked at.
    const Duration limit = std::min(until_ - now, kLookAgain);
    for (const One* one : portion) {
      if (one->supervisor.valid()) handles.push_back(&one->supervisor);
      if (one->files) handles.push_back(&one->files->handle());
    }
    const auto woken =
        os::wait_readable(handles, std::chrono::ceil<std::chrono::milliseconds>(limit));
    if (!woken) break;
    const MonoTime after = services_.clock.mono();
    for (One* one : portion) {
      bool look = after - one->looked >= kLookAgain;
      if (one->files && os::is_readable(one->files->handle()).value_or(true)) {
        look = true;
        const auto drained = one->files->drain();
        if (!drained) one->files.reset();
      }
      if (one->supervisor.valid() && os::is_readable(one->supervisor).value_or(true)) look = true;
      if (!look) continue;
      one->looked = after;
      look_and_ask(*one);
    }
  }
  for (One* one : portion) {
    say(*one, KillOutcome::kUnproven, one->asked ? "not-ended" : "nobody-listens",
        one->unread ? "its supervisor lives and reads no request: somebody has stopped it, or it "
                      "hangs; `kill -s CONT` lets a stopped one go on"
                    : "its supervisor was asked and has not ended it in time");
  }
}

void Stopping::end_orphans() {
  std::vector<std::pair<One*, std::unique_ptr<OrphanStop>>> ends;
  for (One& one : all_) {
    if (!one.orphan) continue;
    one.orphan = false;
    auto dir = sessions_.find(one.report.name);
    if (!dir || !*dir) {
      if (!dir) one.report.error = dir.error();
      if (dir) say(one, KillOutcome::kGone, "no-such-session");
      continue;
    }
    auto end = std::make_unique<OrphanStop>(services_, order_, one.report.name);
    end->begin(**std::move(dir));
    ends.emplace_back(&one, std::move(end));
  }
  for (;;) {
    std::vector<const os::Handle*> handles;
    std::optional<MonoTime> due;
    for (const auto& [one, end] : ends) {
      if (end->is_going()) end->step();
      if (!end->is_going()) continue;
      handles.push_back(&end->changes());
      due = std::min(due.value_or(end->due()), end->due());
    }
    if (!due) break;
    const Duration limit = std::max(*due - services_.clock.mono(), Duration::zero());
    const auto woken =
        os::wait_readable(handles, std::chrono::ceil<std::chrono::milliseconds>(limit));
    static_cast<void>(woken);  // each looks for itself
  }
  for (const auto& [one, end] : ends) one->report = end->report();
}

// While the supervisors are at work, so that the orphans have their part of the time.
void Stopping::end_orphans_first() {
  const MonoTime begun = services_.clock.mono();
  end_orphans();
  if (!order_.until) until_ += services_.clock.mono() - begun;
}

std::vector<StopReport> Stopping::run(const std::vector<std::string>& names) {
  until_ = services_.clock.mono();
  for (const std::string& name : names) all_.emplace_back().report.name = name;
  for (One& one : all_) look_and_ask(one);
  end_orphans_first();
  wait_for_supervisors();
  end_orphans();  // whose supervisor died meanwhile
  std::vector<StopReport> reports;
  for (One& one : all_) reports.push_back(std::move(one.report));
  return reports;
}

}  // namespace

std::vector<StopReport> stop_sessions(const OrphanServices& services,
                                      const session::SessionStore& sessions,
                                      const std::vector<std::string>& names,
                                      const StopOrder& order) {
  return Stopping(services, sessions, order).run(names);
}

}  // namespace holdfast::run
