// SPDX-License-Identifier: Apache-2.0
#include "loop/item/account.h"

#include <algorithm>

#include "base/exit_code.h"
#include "loop/intent/intent.h"

namespace holdfast::loop {
namespace {

using How = ActEnd::How;

// How often in a row nobody could tell before somebody is told.
constexpr std::uint64_t kAskedInVain = 3;
constexpr std::uint64_t kMostDoublings = 5;
constexpr std::string_view kOutOfAttempts = "gave-up";

// The run says itself that it cannot tell (rule S1a).
bool cannot_tell(const ActEnd& end) {
  return end.how == How::kExited && end.code == to_int(ExitCode::kCannotTell);
}

bool was_ended_or_lost(const ActEnd& end) {
  return end.how == How::kEndedByForce || end.how == How::kLost;
}

std::string word_of(const ActEnd& end) {
  switch (end.how) {
    case How::kExited:
      return "exit-" + std::to_string(end.code);
    case How::kNeverStarted:
      return "not-startable";
    case How::kEndedByForce:
      return "ended-by-force";
    case How::kRefuted:
      return "refuted";
    case How::kUnverified:
      return "unverified";
    case How::kLost:
      return "lost";
  }
  __builtin_unreachable();
}

class Accounting {
 public:
  Accounting(ItemRecord item, const LoopFile& file, const ActEnd& end, const TimeMark& now)
      : file_(file), end_(end), now_(now) {
    done_.item = std::move(item);
  }

  Accounted run() {
    const ItemAct::Kind kind = item().act->kind;
    item().act.reset();
    item().next.reset();
    switch (kind) {
      case ItemAct::Kind::kRun:
        run_ended();
        break;
      case ItemAct::Kind::kVerify:
        answered();
        break;
      case ItemAct::Kind::kSuccess:
        act_ended(file_.on_success);
        break;
      case ItemAct::Kind::kFailure:
        act_ended(file_.on_failure);
        break;
    }
    return std::move(done_);
  }

 private:
  ItemRecord& item() { return done_.item; }

  void say(std::string reason, std::string detail) {
    item().reason = std::move(reason);
    item().detail = std::move(detail);
  }

  void run_ended() {
    item().exit_code.reset();
    if (end_.how == How::kExited) item().exit_code = end_.code;
    if (end_.how == How::kRefuted || end_.how == How::kUnverified) item().exit_code = 0;
    const bool claims = end_.how == How::kExited && end_.code == 0;
    if (file_.verify && end_.how != How::kNeverStarted) {
      if (!cannot_tell(end_)) item().asked = 0;
      say(word_of(end_), "the run " + end_.detail + "; asking `verify`");
      return enter(item(), ItemEvent::kToVerify, now_);
    }
    if (claims) return verified("the run exited with 0");
    if (cannot_tell(end_)) return run_again_later("the run " + end_.detail + " (cannot tell)");
    if (end_.how == How::kLost || end_.how == How::kUnverified) return nobody_to_ask();
    failed_attempt(word_of(end_), "the run " + end_.detail);
  }

  void nobody_to_ask() {
    const bool lost = end_.how == How::kLost;
    say(word_of(end_), (lost ? "nobody saw how the run ended" : "the run " + end_.detail) +
                           ", and the loop has no `verify` to ask; see what it did, and say "
                           "`holdfast loop retry` or `loop done`");
    done_.about = word_of(end_);
    enter(item(), ItemEvent::kCannotKnow, now_);
  }

  void answered() {
    const Answer answer = answer_of(end_);
    const bool of_run = item().state == ItemState::kVerifying;
    if (answer == Answer::kCannotTell) return ask_again();
    const bool run_could_not_tell =
        of_run && item().exit_code == to_int(ExitCode::kCannotTell) && answer == Answer::kNo;
    if (run_could_not_tell) {
      return run_again_later("the run exited with 69 (cannot tell), and `verify` says no");
    }
    item().asked = 0;
    if (!of_run) {
      if (answer == Answer::kYes) return act_done();
      return act_failed("the verification says that it did not take place");
    }
    if (answer == Answer::kYes) {
      done_.verified = true;
      return verified("the verification confirms it");
    }
    const bool claimed = item().exit_code == 0;
    if (claimed) {
      return failed_attempt("refuted", "the run exited with 0, and `verify` says no");
    }
    std::string reason = item().reason == "cannot-tell" ? "not-done" : item().reason;
    if (item().exit_code) reason = "exit-" + std::to_string(*item().exit_code);
    failed_attempt(reason, item().exit_code
                               ? "the run exited with " + std::to_string(*item().exit_code)
                               : "the run did not get it done");
  }

  void ask_again() {
    wait_for_an_answer();
    say("cannot-tell", "`verify` " + end_.detail + " and cannot tell; it is asked again later");
    enter(item(), ItemEvent::kAskAgain, now_);
  }

  void run_again_later(const std::string& why) {
    wait_for_an_answer();
    if (item().attempts != 0) --item().attempts;
    say("cannot-tell", why + "; it is run again later, and no attempt is counted");
    enter(item(), ItemEvent::kFailed, now_);
  }

  void wait_for_an_answer() {
    const std::uint64_t doublings = std::min(item().asked, kMostDoublings);
    ++item().asked;
    item().next = DueTime{.from = now_, .wait = file_.verify_every * (1U << doublings)};
    if (item().asked >= kAskedInVain) done_.about = "cannot-tell";
  }

  void verified(const std::string& why) {
    item().verified = true;
    item().act_attempts = 0;
    say("verified", why);
    enter(item(), ItemEvent::kVerified, now_);
    if (!file_.on_success) act_done();
  }

  void failed_attempt(const std::string& reason, const std::string& detail) {
    done_.attempt_failed = true;
    done_.about = reason;
    if (item().attempts < file_.attempts) {
      say(reason, detail);
      item().next = DueTime{.from = now_, .wait = backoff_after(file_, item().attempts)};
      return enter(item(), ItemEvent::kFailed, now_);
    }
    give_up(kOutOfAttempts);
    say(reason, detail + "; given up after " + std::to_string(item().attempts) + " attempts");
    item().act_attempts = 0;
    enter(item(), ItemEvent::kExhausted, now_);
    if (!file_.on_failure) enter(item(), ItemEvent::kActDone, now_);
  }

  // People are told of it whatever they were told before: nothing follows by itself.
  void give_up(std::string_view about) {
    done_.about = std::string(about);
    done_.given_up = true;
  }

  [[nodiscard]] std::string_view act_name() {
    const bool success =
        item().state == ItemState::kSucceeding || item().state == ItemState::kSuccessUnsure;
    return success ? "on_success" : "on_failure";
  }

  void act_ended(const std::optional<LoopAct>& act) {
    if (end_.how == How::kExited && end_.code == 0) return act_done();
    const bool may_have = was_ended_or_lost(end_);
    const bool asks = act && act->verify && end_.how != How::kNeverStarted;
    if (may_have || asks) {
      const std::string detail = std::string(act_name()) + " " + end_.detail;
      if (asks) {
        item().asked = 0;
        say(word_of(end_), detail + "; asking its `verify`");
        return enter(item(), ItemEvent::kActUnsure, now_);
      }
      done_.about = std::string(act_name()) + "-lost";
      say(*done_.about, detail +
                            ", and there is no `verify` of it to ask; see what it did, and say "
                            "`holdfast loop retry` or `loop done`");
      return enter(item(), ItemEvent::kCannotKnow, now_);
    }
    act_failed(end_.detail);
  }

  void act_done() {
    const bool success = item().verified;
    if (success) say("verified", item().detail);
    enter(item(), ItemEvent::kActDone, now_);
  }

  void act_failed(const std::string& why) {
    std::string reason(act_name());
    reason += "-failed";
    done_.about = reason;
    ++item().act_attempts;
    if (item().act_attempts < file_.attempts) {
      say(reason, std::string(act_name()) + ": " + why + "; it is tried again");
      item().next = DueTime{.from = now_, .wait = backoff_after(file_, item().act_attempts)};
      return enter(item(), ItemEvent::kActNotDone, now_);
    }
    give_up(reason + "-given-up");
    say(reason, std::string(act_name()) + ": " + why + "; given up");
    enter(item(), ItemEvent::kActGivenUp, now_);
  }

  const LoopFile& file_;
  const ActEnd& end_;
  const TimeMark& now_;
  Accounted done_;
};

// A record without the exit code (an adopter could not read it) is no exit with 0, and a command
// that exits with 0 because it was asked to end has not done its work.
void note_exit(ActEnd& end, const SessionRecord& record) {
  if (!record.exit_code) {
    end.detail = "exited, and nobody saw with which code";
    return;
  }
  end.code = *record.exit_code;
  end.detail = "exited with " + std::to_string(end.code);
  end.how = How::kExited;
  if (!was_asked_to_end(record)) return;
  end.how = How::kEndedByForce;
  end.detail = "ended as it was asked to";
  if (record.asked) end.detail += " (" + record.asked->by + ")";
}

}  // namespace

ActEnd end_of(const session::SessionView& view) {
  const SessionRecord& record = view.record;
  ActEnd end;
  // Both are of the wall clock, which may have been set meanwhile.
  if (record.started && record.ended) {
    end.took = std::max(*record.ended - *record.started, Duration::zero());
    if (record.order.timeout) {
      end.took = std::min<Duration>(end.took, *record.order.timeout + record.order.grace);
    }
  }
  switch (view.state) {
    case SessionState::kExited:
      note_exit(end, record);
      break;
    case SessionState::kFailed:
      end.how = How::kNeverStarted;
      end.detail = "could not be started";
      if (!record.detail.empty()) end.detail += ": " + record.detail;
      break;
    case SessionState::kTimedOut:
      end.how = How::kEndedByForce;
      end.detail = "was ended at its deadline";
      break;
    case SessionState::kKilled:
      end.how = How::kEndedByForce;
      end.detail = "was ended by a signal";
      break;
    case SessionState::kUnverified:
      end.how = record.verified ? How::kRefuted : How::kUnverified;
      end.detail = record.verified ? "exited with 0, and its own verification says no"
                                   : "exited with 0, and its own verification could not tell";
      break;
    default:
      end.how = How::kLost;
      end.detail = "ended, and nobody saw how";
      break;
  }
  return end;
}

Answer answer_of(const ActEnd& end) {
  return answer_of_code(end.how == How::kExited ? std::optional(end.code) : std::nullopt);
}

Accounted account(ItemRecord item, const LoopFile& file, const ActEnd& end, const TimeMark& now) {
  return Accounting(std::move(item), file, end, now).run();
}

ItemRecord account_not_started(ItemRecord item, const TimeMark& now) {
  const bool run = item.act && item.act->kind == ItemAct::Kind::kRun;
  item.act.reset();
  item.next.reset();
  if (!run) return item;  // its state still asks for it
  if (item.attempts != 0) --item.attempts;
  item.reason = "not-started";
  item.detail = "the run was intended and never began";
  enter(item, ItemEvent::kNotStarted, now);
  return item;
}

void enter(ItemRecord& item, ItemEvent event, const TimeMark& now) {
  const auto state = next(item.state, event);
  if (!state) return;
  item.state = *state;
  item.changed = now.wall;
}

Duration backoff_after(const LoopFile& file, std::uint64_t failures) {
  const std::size_t which = std::clamp<std::size_t>(failures, 1, file.backoff.size()) - 1;
  return file.backoff[which];
}

}  // namespace holdfast::loop
