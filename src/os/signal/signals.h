// SPDX-License-Identifier: Apache-2.0
//
// Signals as input that is read, not as handlers that interrupt.
//
// block_signals holds back every signal but the two that cannot be held; SignalInbox then hands
// them out one by one. Nothing runs in a signal handler, so nothing can run at a bad moment. A
// fault of this program itself (a wild pointer) still ends it: the kernel does not hold those back.
//
// Origin tells whose business a signal is. It goes by the signal's code, not by the sender's pid,
// which is 0 for a sender outside this pid namespace (`docker stop`):
//   kSender    somebody sent it (kill, sigqueue, tgkill)
//   kTerminal  the terminal made it (Ctrl-C, Ctrl-Z, a new size) and sends it to the whole
//              foreground group, so whoever shares our group has it already
//   kChild     the kernel tells of a child
//   kKernel    the kernel made it for this process alone: an inherited alarm, a CPU limit, and a
//              hang-up where this process leads the session, for then only the leader is told
// What the kernel sends this process for a write of its own (PIPE, XFSZ) is nobody's business, and
// is left out.
//
// Limits: the kernel keeps one pending instance of each classic signal; two TERMs that arrive
// before one is read are one TERM. The mask is of the calling thread.
//
// On Windows there are no signals: the console's events come as some of them (signals_win.cc), all
// with kSender, and what is blocked is blocked for the process.
//
// Sequence: block_signals() first thing, kept for the children; SignalInbox::open(); poll its
// handle; next() until nullopt.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/spawn/child.h"
#include "os/sys/handle.h"

namespace holdfast::os {

inline constexpr int kSignalTerm = 15;
inline constexpr int kSignalKill = 9;
int continue_signal();
int broken_pipe_signal();
// HUP, INT, QUIT and TERM: what people and service managers send to have something end.
bool asks_to_end(int signal);

// What this program was started with, to be given to the programs that it starts.
struct SignalState {
  std::uint64_t blocked = 0;   // bit n-1 for signal n
  bool child_ignored = false;  // SIGCHLD was set to be ignored
};

// Also sets SIGCHLD to its default: were it ignored, ended children would vanish with their status.
Result<SignalState> block_signals();

// TSTP, TTIN and TTOU act again, so that the caller's shell sees this job stop.
Result<> allow_stop_signals();

// The mask is as it was before block_signals.
Result<> restore_signals(const SignalState& state);

enum class Origin : std::uint8_t { kSender, kTerminal, kChild, kKernel };

struct ArrivedSignal {
  int number = 0;
  Origin origin = Origin::kKernel;
  std::int32_t sender = 0;  // the process that sent it; 0: nobody did, or nobody can tell
};

// Sends it to a child whose inbox shows it as it was here: with its origin and its sender. Where
// the kernel has no pidfds it comes as one of this process's own, and one of the terminal's not at
// all.
Result<Sent> hand_on(const ArrivedSignal& signal, const OwnChild& child);

class SignalInbox {
 public:
  // Of the blocked signals; call block_signals() before.
  static Result<SignalInbox> open();

  // nullopt: none is waiting.
  [[nodiscard]] Result<std::optional<ArrivedSignal>> next();
  [[nodiscard]] const Handle& handle() const { return handle_; }

 private:
  explicit SignalInbox(Handle handle) : handle_(std::move(handle)) {}

  Handle handle_;
  std::shared_ptr<void> state_{};  // Windows: what has come
};

// "TERM"; "signal 99" for one without a name.
std::string signal_name(int signal);

// SignalHold: while it lives, the signals that ask a process to end or stop (HUP, INT, QUIT, TERM,
// TSTP and the like) wait, so that a few steps that belong together are all made or none. They
// strike when it goes. For short sections: nothing in it may wait without a limit.
//
// Limits: the mask is of the calling thread. KILL and STOP cannot be held. Windows has no such
// thing: there it holds nothing, and a Ctrl-C is as sudden as a KILL.
class SignalHold {
 public:
  SignalHold();
  ~SignalHold();
  SignalHold(const SignalHold&) = delete;
  SignalHold& operator=(const SignalHold&) = delete;

 private:
  struct Mask;
  std::unique_ptr<Mask> before_;  // none: nothing is held
};

}  // namespace holdfast::os
