// SPDX-License-Identifier: Apache-2.0
//
// What Windows has in place of signals: the console calls a handler, in a new thread.
//
//   Ctrl-C                                  INT
//   Ctrl-Break                              TERM: what holdfast itself sends to have others end
//   the console window closes               HUP
//   log-off, shutdown                       TERM
//
// All of them come from "a sender": a command that holdfast starts has a process group of its own,
// which the console's Ctrl-C does not reach, so there is nobody else who would tell it.
//
// "Blocked" is: the handler is there and says that it has taken care. What comes is put into every
// inbox that is open, each of which a thread of its own may read; where none is, it waits for the
// first. After a close, a log-off or a shutdown Windows ends the process as soon as the handler
// returns, so it does not return for as long as Windows lets it (5 s): time to end in order.
#include "os/signal/signals.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "os/signal/signal_flag.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr int kHup = 1;
constexpr int kSignalsInt = 2;
constexpr int kQuit = 3;
constexpr int kPipe = 13;
constexpr int kCont = 18;
constexpr DWORD kAsLongAsWindowsLetsUs = 4500;

struct Letters {
  Handle event;  // copied for the inbox
  std::deque<int> waiting;
};

struct Desk {
  std::mutex mutex;
  int held = 0;  // block_signals without their restore_signals
  bool installed = false;
  std::vector<std::weak_ptr<Letters>> inboxes;
  std::deque<int> unread;  // came while no inbox was open
  std::function<void()> end_listener;
};

// Never destroyed: the handler's thread may be in it while this process ends.
Desk& desk() {
  static Desk* const the_desk = new Desk;
  return *the_desk;
}

int signal_of(DWORD event) {
  if (event == CTRL_C_EVENT) return kSignalsInt;
  if (event == CTRL_CLOSE_EVENT) return kHup;
  return kSignalTerm;
}

bool deliver(int signal) {
  Desk& at = desk();
  const std::scoped_lock lock(at.mutex);
  if (at.end_listener) at.end_listener();
  if (at.held == 0) return static_cast<bool>(at.end_listener);
  bool read = static_cast<bool>(at.end_listener);  // it is used up, whoever else is told
  for (const auto& inbox : at.inboxes) {
    const auto letters = inbox.lock();
    if (!letters) continue;
    letters->waiting.push_back(signal);
    sys().SetEvent(handle_of(letters->event));
    read = true;
  }
  if (!read) at.unread.push_back(signal);
  return true;
}

BOOL WINAPI on_console_event(DWORD event) {
  if (!deliver(signal_of(event))) return FALSE;
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) sys().Sleep(kAsLongAsWindowsLetsUs);
  return TRUE;
}

// A process that was started in a group of its own ignores Ctrl-C, and so would we: that is undone.
Result<> install(Desk& at) {
  if (at.installed) return {};
  sys().SetConsoleCtrlHandler(nullptr, FALSE);
  if (sys().SetConsoleCtrlHandler(on_console_event, TRUE) == FALSE) {
    return fail(last_os_error("listen for", "console events"));
  }
  at.installed = true;
  return {};
}

// From now on what asks to end goes to `listener`, in a thread of the system's, beside the inboxes
// that are open. One at a time; an empty one ends it.
Result<> set_end_listener(std::function<void()> listener) {
  Desk& at = desk();
  const std::scoped_lock lock(at.mutex);
  HF_TRY(install(at));
  at.end_listener = std::move(listener);
  // What came before anybody listened counts.
  const auto ends = std::ranges::find_if(at.unread, asks_to_end);
  if (!at.end_listener || ends == at.unread.end()) return {};
  at.unread.erase(ends);
  at.end_listener();
  return {};
}

}  // namespace

int continue_signal() { return kCont; }

int broken_pipe_signal() { return kPipe; }

bool asks_to_end(int signal) {
  return signal == kHup || signal == kSignalsInt || signal == kQuit || signal == kSignalTerm;
}

Result<SignalState> block_signals() {
  Desk& at = desk();
  const std::scoped_lock lock(at.mutex);
  HF_TRY(install(at));
  ++at.held;
  return SignalState{};
}

Result<> allow_stop_signals() { return {}; }

Result<> restore_signals(const SignalState& /*state*/) {
  Desk& at = desk();
  const std::scoped_lock lock(at.mutex);
  at.held = std::max(at.held - 1, 0);
  if (at.held == 0) at.unread.clear();
  return {};
}

Result<SignalInbox> SignalInbox::open() {
  const HANDLE event = sys().CreateEventW(nullptr, TRUE, FALSE, nullptr);
  if (event == nullptr) return fail(last_os_error("open", "an inbox for signals"));
  auto letters = std::make_shared<Letters>();
  letters->event = own(event);
  HANDLE copy = nullptr;
  const HANDLE self = sys().GetCurrentProcess();
  if (sys().DuplicateHandle(self, event, self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) == FALSE) {
    return fail(last_os_error("open", "an inbox for signals"));
  }
  SignalInbox inbox(own(copy));
  inbox.state_ = letters;
  Desk& at = desk();
  const std::scoped_lock lock(at.mutex);
  std::erase_if(at.inboxes, [](const auto& old) { return old.expired(); });
  letters->waiting = std::exchange(at.unread, {});
  if (!letters->waiting.empty()) sys().SetEvent(event);
  at.inboxes.push_back(letters);
  return inbox;
}

Result<std::optional<ArrivedSignal>> SignalInbox::next() {
  const auto letters = std::static_pointer_cast<Letters>(state_);
  const std::scoped_lock lock(desk().mutex);
  if (letters->waiting.empty()) {
    sys().ResetEvent(handle_of(letters->event));
    return std::optional<ArrivedSignal>();
  }
  const int number = letters->waiting.front();
  letters->waiting.pop_front();
  return std::optional(ArrivedSignal{.number = number, .origin = Origin::kSender});
}

Result<Sent> hand_on(const ArrivedSignal& signal, const OwnChild& child) {
  return child.signal(signal.number);
}

std::string signal_name(int signal) {
  struct Named {
    int number;
    const char* name;
  };
  constexpr Named kNames[] = {{kHup, "HUP"},   {kSignalsInt, "INT"}, {kQuit, "QUIT"},
                              {4, "ILL"},      {5, "TRAP"},          {6, "ABRT"},
                              {7, "BUS"},      {8, "FPE"},           {kSignalKill, "KILL"},
                              {10, "USR1"},    {11, "SEGV"},         {12, "USR2"},
                              {kPipe, "PIPE"}, {14, "ALRM"},         {kSignalTerm, "TERM"},
                              {kCont, "CONT"}, {19, "STOP"}};
  for (const Named& named : kNames) {
    if (named.number == signal) return named.name;
  }
  return "signal " + std::to_string(signal);
}

// Windows runs a console control handler in a thread of its own and ends the process when the
// handlers have answered; nothing holds that back for a few steps of another thread.
struct SignalHold::Mask {};

SignalHold::SignalHold() = default;
SignalHold::~SignalHold() = default;

Result<SignalFlag> SignalFlag::listen() {
  the_flag().emplace();
  HF_TRY(set_end_listener([] { the_flag()->raise(); }));
  return SignalFlag();
}

SignalFlag::~SignalFlag() {
  if (!listening_) return;
  const auto ended = set_end_listener({});
  static_cast<void>(ended);  // the handler is there already: nothing can fail
}

void exit_at_signals(int /*code*/, std::string_view /*message*/) {}

}  // namespace holdfast::os
