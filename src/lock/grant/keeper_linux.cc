// SPDX-License-Identifier: Apache-2.0
//
// Who may die when, between the grant and the token on its way:
//
//   the caller, before the fork       the record names the caller as the work: dead, recovered
//   the caller, after the fork        the gate ends without a byte: the keeper releases
//   the keeper, before confirm()      the caller sees the end of the gate (EPIPE) or of the ready
//                                     pipe, and releases
//   the keeper, afterwards            the record names the owner: nobody is granted it while the
//                                     owner lives
//   the owner, at any time            its pidfd was opened before all of this and stays readable
//
// Signals are held back from before the fork, and never read: TERM, INT and HUP, which a service
// manager or the end of a run sends to a whole tree, find the owner still at work under the lock.
#include "lock/grant/keeper.h"

#include <array>

#include "base/budget.h"
#include "lock/grant/identity.h"
#include "os/file/file.h"
#include "os/machine/real_clock.h"
#include "os/process/background.h"
#include "os/process/pidfd.h"
#include "os/signal/signals.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"

namespace holdfast::lock {
namespace {

constexpr std::string_view kName = "hf-keeper";
constexpr std::string_view kReady = "ready";
constexpr std::string_view kConfirmed = "c";
constexpr std::size_t kMaxAnswer = 4096;
// Where no wait works at all, which no kernel does for long.
constexpr auto kNoSpinning = std::chrono::milliseconds(100);
constexpr std::chrono::milliseconds kReadyPatience = std::chrono::seconds(10);

Error no_keeper(const std::string& label, std::string why) {
  return {.code = ErrorCode::kOsRefused,
          .op = "start a keeper for",
          .subject = label,
          .cause = "no-keeper",
          .detail = std::move(why)};
}

// In the keeper.
class Watch {
 public:
  Watch(LocalLock& lock, os::Handle owner, std::optional<Duration> every)
      : lock_(lock), owner_(std::move(owner)), every_(every) {
    plan_renewal();
  }

  // Until there is nothing left to hold.
  void run() {
    for (;;) {
      const Seen seen = look_at_word();
      if (is_lost(lock_.check())) return;
      if (owner_has_ended()) return release();
      if (renew_at_ && clock_.mono() >= *renew_at_) {
        if (is_lost(lock_.renew(Lock::Beat::kAlive))) return;
        plan_renewal();
      }
      sleep(seen);
    }
  }

  void release() {
    const auto released = lock_.release();
    static_cast<void>(released);  // then life goes with this process, and the owner is dead
  }

 private:
  struct Seen {
    const os::SharedWord* word = nullptr;
    std::uint32_t value = 0;
  };

  // Without the word the end of the owner is still noticed.
  Seen look_at_word() {
    const auto word = lock_.moved();
    if (!word) return {};
    const auto value = (*word)->load();
    if (!value) return {};
    return {.word = *word, .value = *value};
  }

  // Not being able to tell is no reason to let go.
  static bool is_lost(const Result<Owned>& owned) { return owned && *owned == Owned::kLost; }

  bool owner_has_ended() {
    const auto ended = os::has_ended(owner_);
    return ended && *ended;
  }

  void plan_renewal() {
    if (every_) renew_at_ = clock_.mono() + *every_;
  }

  void sleep(const Seen& seen) {
    const os::BlockOn end{.kind = os::BlockOn::Kind::kReadable, .handle = owner_.get()};
    if (os::blocked_wait(end, seen.word, seen.value, nullptr, renew_at_)) return;
    // No thread to be had: without the word, then.
    std::optional<std::chrono::milliseconds> limit;
    if (renew_at_) limit = std::chrono::ceil<std::chrono::milliseconds>(*renew_at_ - clock_.mono());
    if (os::wait_readable({&owner_}, limit)) return;
    os::pause(kNoSpinning);
  }

  LocalLock& lock_;
  os::Handle owner_;
  std::optional<Duration> every_;
  os::RealClock clock_;
  std::optional<MonoTime> renew_at_;
};

struct Pipes {
  os::Pipe ready;
  os::Pipe gate;
};

Result<> answer(os::Handle ready, std::string_view text) {
  return os::File(std::move(ready), "the pipe of the keeper").write_all(text);
}

Result<bool> wait_at_gate(const os::Handle& gate) {
  std::array<char, 1> byte{};
  return HF_TRY(os::read_pipe(gate, byte)) == 1;
}

void keep(LocalLock& lock, os::Handle owner, const KeeperOptions& options, Pipes pipes) {
  pipes.ready.read_end.reset();
  pipes.gate.write_end.reset();
  forget_budget();  // the lock outlives the command that got it
  if (const auto entered = os::enter_background(kName); !entered) {
    const auto told = answer(std::move(pipes.ready.write_end), to_sentence(entered.error()));
    static_cast<void>(told);  // no answer says the same
    return;
  }
  if (options.begin) options.begin();
  lock.carry_on();
  if (!answer(std::move(pipes.ready.write_end), kReady)) return;
  Watch watch(lock, std::move(owner), options.renew_every);
  const auto confirmed = wait_at_gate(pipes.gate.read_end);
  pipes.gate.read_end.reset();
  if (confirmed && *confirmed) {
    watch.run();
  } else {
    watch.release();
  }
  if (options.end) options.end();
}

[[noreturn]] void be_the_keeper(LocalLock& lock, os::Handle owner, const KeeperOptions& options,
                                Pipes pipes) {
  // An exception must not carry the keeper up into the caller's code.
  try {
    keep(lock, std::move(owner), options, std::move(pipes));
  } catch (...) {
    os::exit_process(1);
  }
  os::exit_process(0);
}

Result<> wait_until_ready(const std::string& label, os::Handle ready) {
  if (!HF_TRY(os::wait_readable({&ready}, kReadyPatience)))
    return fail(no_keeper(label, "it does not answer"));
  const std::string text = HF_TRY(os::File(std::move(ready), "the keeper").read_all(kMaxAnswer));
  if (text == kReady) return {};
  return fail(no_keeper(label, text.empty() ? "it ended at once" : text));
}

Result<> name_in_record(LocalLock& lock, const proc::Identity& owner, os::Pid keeper) {
  // It is our own unreaped child, so the number means it.
  const auto identity = HF_TRY(proc::identity_of(keeper));
  if (!identity) return fail(no_keeper(lock.label(), "it ended at once"));
  if (HF_TRY(lock.hand_over(to_record(owner), to_record(*identity))) == Owned::kYes) return {};
  return fail({.code = ErrorCode::kRefused,
               .op = "hand over",
               .subject = lock.label(),
               .cause = "lost",
               .detail = "it was taken from this process right after the grant"});
}

}  // namespace

Result<Keeper> Keeper::start(LocalLock& lock, proc::Pinned owner, const KeeperOptions& options) {
  if (!owner.pidfd.valid()) {
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "bind to its owner",
                 .subject = lock.label(),
                 .cause = "no-pidfd",
                 .detail = "this kernel has no way to watch a process (pidfd_open); bind the lock "
                           "to a time instead, with --owner none --ttl D"});
  }
  Pipes pipes{.ready = HF_TRY(os::make_pipe()), .gate = {}};
  pipes.gate = HF_TRY(os::make_pipe());
  const os::SignalState signals = HF_TRY(os::block_signals());
  auto forked = os::fork_process();
  if (forked && forked->in_child)
    be_the_keeper(lock, std::move(owner.pidfd), options, std::move(pipes));
  const auto restored = os::restore_signals(signals);
  if (!forked) return fail(no_keeper(lock.label(), to_sentence(forked.error())));
  Keeper keeper(std::move(forked->child), std::move(pipes.gate.write_end));
  HF_TRY(restored);
  pipes.ready.write_end.reset();
  pipes.gate.read_end.reset();
  HF_TRY(wait_until_ready(lock.label(), std::move(pipes.ready.read_end)));
  HF_TRY(name_in_record(lock, owner.identity, keeper.pid()));
  return keeper;
}

Keeper::~Keeper() {
  if (gate_.valid()) end();
}

// The gate is open meanwhile: a keeper that saw its end would release the lock.
void Keeper::end() const {
  const auto killed = child_.signal(os::kSignalKill);
  const auto reaped = os::reap_child(child_.pid);
  static_cast<void>(killed);  // gone already
  static_cast<void>(reaped);
}

Result<> Keeper::confirm(LocalLock& lock) {
  os::File gate(os::Handle(gate_.release()), "the gate of the keeper");
  if (!gate.write_all(kConfirmed)) {
    end();
    return fail(no_keeper(lock.label(), "it ended before the lock was handed over"));
  }
  lock.leave();
  return {};
}

Result<bool> keep_if_asked(const Clock& /*clock*/, EventSink* /*events*/) { return false; }

}  // namespace holdfast::lock
