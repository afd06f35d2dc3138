// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: between the plan and the removal somebody attaches, or the harness
// starts its container again under the same name. So nothing that the plan knew is believed here
// but what it meant. With the lock of the workspace in hand, which everybody takes who attaches or
// changes anything, the record must be the same one (id and change), nobody may be attached, and
// the authority must say no again, *after* the lock was taken: a container that somebody starts
// from now on is one whose workspace was not attached to, and there is none who holds the lock.
//
// The other one: `holdfast run --name X` begins in the directory of the workspace X while it is
// being rescued or asked about. A run takes the lock of its name first of all, and the workspace's
// own lock around its first record (session/workspace/workspace.cc has the argument). So with the
// workspace's lock in hand the name is taken too where its ledger is there, that is, where there is
// or was a run; where there is none, whoever makes it now waits for the workspace's lock. None is
// made here.
//
// And: a loop, a step or a series has not counted yet what the run left (options.h, ClaimOn). The
// claims are read after the name was taken: whoever intends a run from now on waits for the name.
#include "gc/collect.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/printable.h"
#include "gc/decide.h"
#include "gc/facts.h"
#include "gc/questions.h"
#include "gc/remover.h"
#include "gc/rescue.h"
#include "gc/trash.h"
#include "os/path/path.h"
#include "run/lock/name_lock.h"
#include "run/orphan/groups.h"
#include "session/record/layout.h"
#include "session/workspace/below.h"
#include "session/workspace/outside.h"
#include "session/workspace/outside_claims.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

using authority::Question;
using authority::Verdict;
using authority::Vouched;

// A workspace under its lock.
struct Held {
  explicit Held(const GcPlanEntry& planned) : entry(&planned) {}
  Held(Held&&) = default;
  Held& operator=(Held&&) = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { give_back(); }

  // What cannot be given back ends with this process.
  void give_back() {
    shut.reset();
    hold.reset();
    run.reset();
    if (name) static_cast<void>(name->release());
    name.reset();
  }

  [[nodiscard]] std::vector<os::NativeHandle> locks() const {
    std::vector<os::NativeHandle> locks;
    if (name) locks.push_back(name->life());
    if (hold) locks.push_back(hold->lock_handle());
    std::erase(locks, os::HandleTraits::nothing());
    return locks;
  }

  const GcPlanEntry* entry;
  std::unique_ptr<lock::Lock> name{};  // of the run in it
  std::optional<session::WorkspaceHold> hold{};
  session::WorkspaceLock shut{};             // below.h: nobody works below it, nor begins to
  std::optional<session::SessionDir> run{};  // of a session without a workspace
  std::optional<Question> question{};
  std::optional<Verdict> confirmed{};  // of what the engine was asked for by id
  std::string directory{};             // for the rescue; empty: it is not there
};

// What an entry came to before it could be removed.
struct Stay {
  enum class As : std::uint8_t { kKept, kUnknown, kFailed };
  As as = As::kKept;
  std::string reason{};
};
// nullopt: it is held, and goes on.
using Stayed = std::optional<Stay>;

Stay stays(std::string reason) { return {.as = Stay::As::kKept, .reason = std::move(reason)}; }
Stay cannot_tell(std::string reason) {
  return {.as = Stay::As::kUnknown, .reason = std::move(reason)};
}
Stay fails(std::string reason) { return {.as = Stay::As::kFailed, .reason = std::move(reason)}; }
Stayed stay_of(const Decision& decision) {
  if (decision.fate == Fate::kKeep) return stays(decision.reason);
  if (decision.fate == Fate::kUnknown) return cannot_tell(decision.reason);
  return std::nullopt;
}

// A path that a command can be given, wherever it is run.
std::string absolute(const std::string& path) {
  return os::absolute_from_here(path).value_or(path);
}

class Collector {
 public:
  Collector(const Services& services, const Options& options, const Id128& plan,
            const KnownSample& known_sample, const os::Dir& trash, Remover& remover, Report& report)
      : services_(services),
        options_(options),
        plan_(plan),
        known_sample_(known_sample),
        trash_(trash),
        remover_(remover),
        report_(report) {}

  void batch(std::span<const GcPlanEntry> entries) {
    std::vector<Held> held;
    for (const GcPlanEntry& entry : entries) {
      if (stopped()) break;
      Held one(entry);
      if (const Stayed stayed = take(one)) {
        tell(entry, *stayed);
        continue;
      }
      if (options_.rescue && !rescued(one)) continue;
      held.push_back(std::move(one));
    }
    // Once for all of them, and never an answer from before their locks were taken.
    if (!held.empty()) run_claims_ = services_.claims();
    Answers answers;
    for (const Held& one : held) {
      if (!one.question || stopped()) continue;
      remover_.rest();
      const auto line = services_.wait_for("the answer of " + name_of(*one.question));
      answers.ask(*one.question, options_.probe_timeout);
    }
    interrupted_ = interrupted_ || answers.interrupted();
    confirm(held, answers);
    for (Held& one : held) {
      if (stopped()) return;
      prove_and_remove(one, answers);
    }
    stopped();  // the last rescue may have been interrupted
  }

  bool stopped() {
    interrupted_ = interrupted_ || services_.stop.raised();
    report_.interrupted = report_.interrupted || interrupted_;
    return interrupted_;
  }

 private:
  Stayed take(Held& one) { return one.entry->run ? take_run(one) : take_workspace(one); }

  // The lock of the run's name, without waiting.
  enum class Ledger : std::uint8_t { kMake, kWhereThere };
  Stayed take_name(Held& one, Ledger ledger) {
    const lock::LockId id{.kind = lock::LockId::Kind::kNamed,
                          .text = run::name_lock_of(one.entry->name)};
    const auto locked = [&]() -> Result<bool> {
      if (ledger == Ledger::kWhereThere && !HF_TRY(services_.locks.has_ledger(id))) return true;
      one.name = HF_TRY(services_.locks.open(id));
      lock::AcquireRequest request;
      request.command = "holdfast gc";
      return HF_TRY(one.name->acquire(request)).granted();
    }();
    // A name that no lock can have is one that no run can have.
    const bool no_lock = !locked && locked.error().code == ErrorCode::kUsage;
    if (no_lock && ledger == Ledger::kWhereThere) return std::nullopt;
    if (!locked) return cannot_tell(locked.error().cause);
    if (!*locked) return stays("busy");
    return std::nullopt;
  }

  Stayed take_run(Held& one) {
    if (Stayed stayed = take_name(one, Ledger::kMake)) return stayed;
    auto dir = services_.sessions.find(one.entry->name);
    if (!dir) return cannot_tell(unreadable(dir.error()));
    if (!*dir) return stays("gone");
    one.directory = absolute((*dir)->dir().path());
    one.run.emplace(**std::move(dir));
    return std::nullopt;
  }

  Stayed take_workspace(Held& one) {
    auto hold = session::WorkspaceHold::take(services_.sessions, one.entry->name, Duration::zero());
    if (!hold) {
      if (hold.error().code == ErrorCode::kBusy) return stays("busy");
      return cannot_tell(unreadable(hold.error()));
    }
    if (!*hold) return stays("gone");
    one.hold.emplace(**std::move(hold));
    if (Stayed stayed = take_name(one, Ledger::kWhereThere)) return stayed;
    const WorkspaceRecord& record = one.hold->record();
    if (record.id != one.entry->id || record.change != one.entry->change) return stays("changed");
    if (record.authority) one.question = question_of(*record.authority, options_.probes);
    // Before anything is rescued of a workspace that stays anyway.
    const RunFacts run = run_in(one.entry->name);
    const auto below = session::BelowNow::look(one.hold->dir());
    if (!below) return cannot_tell(unreadable(below.error()));
    const Facts facts = facts_of(record, run, {}, now(), below->anybody());
    if (Stayed early = stay_of(decide(facts, options_.grace, nullptr))) return early;
    if (record.outside) return look_outside(one);
    one.directory = absolute(one.hold->dir().path());
    return std::nullopt;
  }

  // The run in the directory of a workspace whose name is held: none begins now.
  [[nodiscard]] RunFacts run_in(const std::string& name) const {
    const auto dir = services_.sessions.find(name);
    if (!dir || !*dir) return {.now = RunNow::kUnknown};
    return facts_of_run(**dir, now(), services_.clock.wall());
  }

  // Only after the names of the batch were taken. Where nothing was run, nothing can be counted on.
  [[nodiscard]] Claim claim_in(const std::string& name, RunNow run) const {
    if (run == RunNow::kNone) return {};
    const auto dir = services_.sessions.find(name);
    if (!dir || !*dir) return {.known = false};
    return claim_on(run_claims_, **dir);
  }

  // The record alone moves and rescues nothing (session/workspace/outside.h).
  Stayed look_outside(Held& one) {
    const WorkspaceRecord& record = one.hold->record();
    const auto entry = session::confirmed_outside(services_.sessions, record);
    if (!entry) return cannot_tell(unreadable(entry.error()));
    if (!*entry) return fails("not-confirmed");
    const auto dir = os::Dir::open((*entry)->directory);
    // Where it is, or is not, is said by what moves it; there is nothing to rescue in its place.
    if (!dir) return std::nullopt;
    const auto own = session::is_directory_of(**entry, *dir);
    if (!own) return cannot_tell(own.error().cause);
    if (!*own) return std::nullopt;
    one.directory = (*entry)->directory;
    const auto home = session::other_home_of(services_.sessions, *dir);
    if (!home) return cannot_tell(home.error().cause);
    if (*home) {
      report_.warnings.push_back(dir->path() + " belongs to a workspace of another home (" +
                                 **home + "); it stays");
      return stays("other-home");
    }
    return check_alone(*dir, record.id);
  }

  // Nobody else's directory goes with it. The list is read once: whoever wants a directory in or
  // around this one afterwards finds our entry, and refuses (session/workspace/outside_claims.h).
  Stayed check_alone(const os::Dir& dir, const Id128& id) {
    if (!claims_) claims_.emplace(session::OutsideClaims::read(services_.sessions));
    if (!*claims_) return cannot_tell(unreadable(claims_->error()));
    const auto other = (*claims_)->other_at(dir, id);
    if (!other) return cannot_tell(unreadable(other.error()));
    if (!*other) return std::nullopt;
    report_.warnings.push_back(dir.path() + " holds, or lies in, the directory of " + **other +
                               "; it stays");
    return stays("holds-another-workspace");
  }

  // A workspace without its directory has nothing to save.
  bool rescued(const Held& one) {
    if (one.directory.empty()) return true;
    remover_.rest();
    const Rescue result = rescue(services_.clock, *options_.rescue, options_.rescue_timeout,
                                 one.entry->name, one.directory, one.locks());
    if (result.done) return true;
    interrupted_ = interrupted_ || result.interrupted;
    if (result.interrupted) return false;
    failed(*one.entry, "rescue-failed");
    report_.warnings.push_back("the rescue of '" + printable(one.entry->name) +
                               "': " + result.failure);
    return false;
  }

  // Those that an engine did not list, and that it can be asked for one by one.
  void confirm(std::vector<Held>& held, const Answers& answers) {
    std::vector<char> done(held.size(), 0);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (done[i] != 0 || !held[i].question || stopped()) continue;
      const Question question = *held[i].question;
      const authority::Answer* answer = answers.find(question);
      if (answer == nullptr) continue;
      std::vector<Held*> asked;
      std::vector<Authority> gone;
      for (std::size_t j = i; j < held.size(); ++j) {
        if (held[j].question != question) continue;
        done[j] = 1;
        const Authority& authority = *held[j].hold->record().authority;
        if (!is_to_confirm(judged(authority, held[j].entry->name, answer))) continue;
        asked.push_back(&held[j]);
        gone.push_back(authority);
      }
      if (gone.empty()) continue;
      remover_.rest();
      auto verdicts = authority::confirm(question, *answer, gone, options_.probe_timeout);
      for (std::size_t k = 0; k < asked.size(); ++k) {
        interrupted_ = interrupted_ || verdicts[k].reason == "interrupted";
        asked[k]->confirmed = std::move(verdicts[k]);
      }
    }
  }

  // The last word, under the lock.
  Decision prove(Held& one, const Answers& answers) {
    const auto changed = [] { return Decision{.fate = Fate::kKeep, .reason = "changed"}; };
    if (one.run) {
      const RunFacts look = facts_of_run(*one.run, now(), services_.clock.wall());
      if (look.now == RunNow::kUnknown) return {.fate = Fate::kUnknown, .reason = "run-unknown"};
      if (look.id != one.entry->id || look.number != one.entry->change) return changed();
      const auto record = one.run->dir().id_of(session::workspace_record_name());
      if (!record) return {.fate = Fate::kUnknown, .reason = record.error().cause};
      if (*record) return changed();
      return decide_run(look.now, claim_on(run_claims_, *one.run), look.age, options_.grace);
    }
    // Read again: the rescue may have changed it.
    const auto record = session::read_workspace(one.hold->dir(), one.entry->name);
    if (!record) return {.fate = Fate::kUnknown, .reason = unreadable(record.error())};
    if (!*record || (*record)->id != one.entry->id || (*record)->change != one.entry->change) {
      return changed();
    }
    // The hold has the record that was looked at; what is moved goes by that one.
    if (**record != one.hold->record()) return changed();
    std::optional<Verdict> verdict;
    if ((*record)->authority) {
      const authority::Answer* answer = one.question ? answers.find(*one.question) : nullptr;
      verdict = judged(*(*record)->authority, one.entry->name, answer);
      if (is_to_confirm(*verdict)) {
        verdict =
            one.confirmed.value_or(Verdict{.vouched = Vouched::kUnknown, .reason = "not-asked"});
      }
      if (answer != nullptr && verdict->vouched == Vouched::kDead && !verdict->by_identity) {
        const Group group = group_of(*one.question, *(*record)->authority);
        if (!known_sample_.hold(group, *answer) && !is_allowed(group, options_)) {
          note_braked(services_, group, {.reason = "none-seen"}, report_);
          return {.fate = Fate::kKeep, .reason = "braked"};
        }
      }
      if (is_skip(*verdict)) {
        note_skipped(services_, one.question ? &*one.question : nullptr, verdict->reason,
                     answer != nullptr && !answer->told ? answer->detail : verdict->detail,
                     report_);
      }
    }
    const RunFacts run = run_in(one.entry->name);
    const Claim claim = claim_in(one.entry->name, run.now);
    // From here on nobody begins below it.
    auto below = session::shut_below(one.hold->dir());
    if (!below) return {.fate = Fate::kUnknown, .reason = unreadable(below.error())};
    one.shut = std::move(below->shut);
    return decide(facts_of(**record, run, claim, now(), !below->empty), options_.grace,
                  verdict ? &*verdict : nullptr);
  }

  void prove_and_remove(Held& one, const Answers& answers) {
    const Decision decision = prove(one, answers);
    if (decision.fate != Fate::kRemove) {
      tell(*one.entry, stay_of(decision).value_or(cannot_tell(decision.reason)));
      return;
    }
    TrashNote note{
        .at = services_.clock.wall(), .moment = now(), .reason = decision.reason, .plan = plan_};
    note.keep = options_.trash_for;
    remove_groups(*one.entry);
    const bool at_once = options_.trash_for == Duration::zero();
    const TrashNote* kept_note = at_once ? nullptr : &note;
    const auto moved =
        one.run ? move_run_to_trash(services_.sessions, trash_, *one.run, one.entry->id, kept_note)
                : move_to_trash(services_.sessions, trash_, *one.hold, kept_note);
    if (!moved) {
      failed(*one.entry, moved.error().cause);
      report_.warnings.push_back(to_sentence(moved.error()));
      return;
    }
    const auto outsides =
        one.hold && one.hold->record().outside ? Outsides::kLook : Outsides::kNone;
    one.give_back();  // before its directory is emptied
    if (at_once) remover_.add(one.entry->name, *moved, outsides);
    report_.removed.push_back({.name = one.entry->name, .reason = decision.reason});
    record({.type = "gc.removed",
            .data = EventData()
                        .text("name", one.entry->name)
                        .text("plan_id", to_hex(plan_))
                        .text("reason", decision.reason)});
  }

  // The run is proven over. Where we die after this, its record names groups that are gone, which
  // proves as much as empty ones.
  void remove_groups(const GcPlanEntry& entry) const {
    const auto dir = services_.sessions.find(entry.name);
    if (!dir || !*dir) return;
    const auto record = (*dir)->read();
    if (record && *record) run::remove_groups_of(**record);
  }

  void tell(const GcPlanEntry& entry, const Stay& stay) {
    if (stay.as == Stay::As::kFailed) {
      failed(entry, stay.reason);
      return;
    }
    auto& lines = stay.as == Stay::As::kUnknown ? report_.unknown : report_.kept;
    lines.push_back({.name = entry.name, .reason = stay.reason});
  }
  void failed(const GcPlanEntry& entry, const std::string& reason) {
    report_.failed.push_back({.name = entry.name, .reason = reason});
    record({.type = "gc.failed",
            .data = EventData()
                        .text("name", entry.name)
                        .text("reason", reason)
                        .text("plan_id", to_hex(plan_))});
  }
  // What was done stands; that it could not be recorded is said once.
  void record(const Event& event) {
    const auto recorded = services_.events.record(event);
    if (recorded || unrecorded_) return;
    unrecorded_ = true;
    report_.warnings.push_back(to_sentence(recorded.error()));
  }

  BootMoment now() const {
    // Where the boot cannot be named, everything is as young as can be.
    return session::boot_moment_now().value_or(BootMoment{});
  }

  const Services& services_;
  const Options& options_;
  const Id128& plan_;
  const KnownSample& known_sample_;
  const os::Dir& trash_;
  Remover& remover_;
  Report& report_;
  std::optional<Result<session::OutsideClaims>> claims_{};
  Result<ClaimOn> run_claims_ = fail({.code = ErrorCode::kInternal, .cause = "not-read"});
  bool interrupted_ = false;
  bool unrecorded_ = false;
};

// Nothing can go anywhere.
void fail_all(const Services& services, const Id128& plan, std::span<const GcPlanEntry> entries,
              const Error& error, Report& report) {
  for (const GcPlanEntry& entry : entries) {
    report.failed.push_back({.name = entry.name, .reason = error.cause});
    [[maybe_unused]] const auto recorded =
        services.events.record({.type = "gc.failed",
                                .data = EventData()
                                            .text("name", entry.name)
                                            .text("reason", error.cause)
                                            .text("plan_id", to_hex(plan))});
  }
  report.warnings.push_back(to_sentence(error));
}

}  // namespace

Result<> collect(const Services& services, const Options& options, const Id128& plan,
                 std::span<const GcPlanEntry> entries, const KnownSample& known_sample,
                 Report& report) {
  if (entries.empty()) return {};
  const auto opened = open_trash(services.sessions.dir());
  if (!opened) {
    fail_all(services, plan, entries, opened.error(), report);
    return {};
  }
  const os::Dir& trash = *opened;
  // Nobody's lock is held while another workspace is rescued, which may take minutes.
  const std::size_t batch = options.rescue ? 1 : kBatch;
  Remover remover(services.sessions, trash, services.stop,
                  options.trash_for == Duration::zero() ? entries.size() : 0);
  Collector collector(services, options, plan, known_sample, trash, remover, report);
  for (std::size_t at = 0; at < entries.size() && !collector.stopped(); at += batch) {
    collector.batch(entries.subspan(at, std::min(batch, entries.size() - at)));
    services.tell("removing workspaces", std::min(at + batch, entries.size()), entries.size());
  }
  remover.finish();
  report.purged += remover.removed();
  for (std::string& failure : remover.take_failures()) {
    report.warnings.push_back(std::move(failure));
  }
  for (const os::Dir* dir : {&trash, &services.sessions.dir()}) {
    const auto synced = dir->sync();
    if (!synced) report.warnings.push_back(to_sentence(not_durable(synced.error())));
  }
  return {};
}

}  // namespace holdfast::gc
