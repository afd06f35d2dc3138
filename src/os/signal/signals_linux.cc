// SPDX-License-Identifier: Apache-2.0
#include "os/signal/signals.h"

#include <sys/signalfd.h>

#include <csignal>
#include <cstring>
#include <initializer_list>

#include "os/signal/signal_mask_linux.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

sigset_t held_signals() {
  sigset_t set;
  sigfillset(&set);
  return set;
}

Origin origin_of(int signal, int code) {
  if (code == SI_USER || code == SI_QUEUE || code == SI_TKILL) return Origin::kSender;
  switch (signal) {
    case SIGCHLD:
      return Origin::kChild;
    case SIGINT:
    case SIGQUIT:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGWINCH:
    case SIGCONT:
      return Origin::kTerminal;
    case SIGHUP:
      return sys().getsid(0) == sys().getpid() ? Origin::kKernel : Origin::kTerminal;
    default:
      return Origin::kKernel;
  }
}

// What goes with a signal that is handed on: the mark, whether the terminal made it, who sent it.
constexpr std::uint64_t kHandedOn = 0x686f6c64ULL << 32U;
constexpr std::uint64_t kMark = 0x7fffffffULL << 32U;
constexpr std::uint64_t kByTerminal = 1ULL << 63U;

std::uint64_t note_of(const ArrivedSignal& signal) {
  const auto sender = static_cast<std::uint32_t>(signal.sender);
  return kHandedOn | sender | (signal.origin == Origin::kTerminal ? kByTerminal : 0);
}

void take_note(ArrivedSignal& signal, std::uint64_t note) {
  if ((note & kMark) != kHandedOn) return;
  signal.sender = static_cast<std::int32_t>(static_cast<std::uint32_t>(note));
  if ((note & kByTerminal) != 0) signal.origin = Origin::kTerminal;
}

}  // namespace

Result<Sent> hand_on(const ArrivedSignal& signal, const OwnChild& child) {
  if (!child.pidfd.valid())
    return signal.origin == Origin::kTerminal ? Sent::kGone : child.signal(signal.number);
  siginfo_t info{};
  info.si_signo = signal.number;
  info.si_code = SI_QUEUE;
  info.si_pid = sys().getpid();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nobody follows it
  info.si_value.sival_ptr = reinterpret_cast<void*>(note_of(signal));
  if (sys().pidfd_send_signal(fd_of(child.pidfd), signal.number, &info) == 0) return Sent::kSent;
  if (errno == ESRCH) return Sent::kGone;
  return fail(last_os_error("hand on", "a signal"));
}

int continue_signal() { return SIGCONT; }

int broken_pipe_signal() { return SIGPIPE; }

bool asks_to_end(int signal) {
  return signal == SIGHUP || signal == SIGINT || signal == SIGQUIT || signal == SIGTERM;
}

Result<SignalState> block_signals() {
  const sigset_t held = held_signals();
  sigset_t before;
  sigemptyset(&before);
  if (sys().sigprocmask(SIG_SETMASK, &held, &before) != 0) {
    return fail(last_os_error("hold back", "signals"));
  }
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  struct sigaction inherited{};
  if (sys().sigaction(SIGCHLD, &plain, &inherited) != 0) {
    auto failed = fail(last_os_error("set the action of", "SIGCHLD"));
    sys().sigprocmask(SIG_SETMASK, &before, nullptr);
    return failed;
  }
  return SignalState{.blocked = to_bits(before), .child_ignored = inherited.sa_handler == SIG_IGN};
}

Result<> allow_stop_signals() {
  sigset_t stops;
  sigemptyset(&stops);
  for (const int stop : {SIGTSTP, SIGTTIN, SIGTTOU}) sigaddset(&stops, stop);
  if (sys().sigprocmask(SIG_UNBLOCK, &stops, nullptr) == 0) return {};
  return fail(last_os_error("let through", "stop signals"));
}

Result<> restore_signals(const SignalState& state) {
  const sigset_t before = to_sigset(state.blocked);
  if (sys().sigprocmask(SIG_SETMASK, &before, nullptr) == 0) return {};
  return fail(last_os_error("let through", "signals"));
}

Result<SignalInbox> SignalInbox::open() {
  const sigset_t held = held_signals();
  const int fd = sys().signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) return fail(last_os_error("read", "signals"));
  return SignalInbox(Handle(fd));
}

Result<std::optional<ArrivedSignal>> SignalInbox::next() {
  signalfd_siginfo info{};
  const ssize_t got = retry_eintr([&] { return sys().read(fd_of(handle_), &info, sizeof(info)); });
  if (got == static_cast<ssize_t>(sizeof(info))) {
    const int number = static_cast<int>(info.ssi_signo);
    // A write of our own found no reader, or a file was at its limit; the write itself has said so.
    const bool of_a_write = number == SIGPIPE || number == SIGXFSZ;
    if (of_a_write && static_cast<pid_t>(info.ssi_pid) == sys().getpid()) return next();
    ArrivedSignal signal{.number = number, .origin = origin_of(number, info.ssi_code)};
    if (signal.origin == Origin::kSender) signal.sender = static_cast<std::int32_t>(info.ssi_pid);
    if (info.ssi_code == SI_QUEUE) take_note(signal, info.ssi_ptr);
    return std::optional(signal);
  }
  if (got < 0 && errno == EAGAIN) return std::optional<ArrivedSignal>();
  return fail(last_os_error("read", "signals"));
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? name : "signal " + std::to_string(signal);
}

struct SignalHold::Mask {
  sigset_t set{};
};

SignalHold::SignalHold() {
  sigset_t set{};
  sigemptyset(&set);
  for (const int signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU}) {
    sigaddset(&set, signal);
  }
  auto before = std::make_unique<Mask>();
  if (sys().sigprocmask(SIG_BLOCK, &set, &before->set) == 0) before_ = std::move(before);
}

SignalHold::~SignalHold() {
  if (before_) sys().sigprocmask(SIG_SETMASK, &before_->set, nullptr);
}

}  // namespace holdfast::os
