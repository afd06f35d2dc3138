// SPDX-License-Identifier: Apache-2.0
#include "cli/output/pager.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/path_text.h"
#include "os/signal/signals.h"
#include "os/spawn/spawn.h"
#include "os/stream/pipe.h"
#include "os/stream/terminal.h"

namespace holdfast::cli {
namespace {

// True also where the terminal does not say how big it is: a pager would stop there for ever.
bool fits_terminal(const Console& console, std::string_view text) {
  if (!console.columns(os::Stream::kOut)) return true;
  const auto size = os::window_size(static_cast<os::NativeHandle>(os::Stream::kOut));
  return !size || std::ranges::count(text, '\n') < size->rows;
}

// Empty: none is wanted.
std::vector<std::string> pager_words(const Console& console) {
  const auto wanted = console.env("PAGER");
  if (!wanted) return {"less", "-FRX"};
  if (wanted->find_first_not_of(" \t") == wanted->npos || *wanted == "cat") return {};
  return shell_words(*wanted);
}

// Until the pager has all of it, or does not want more.
void feed(const os::Handle& to, std::string_view text) {
  while (!text.empty()) {
    const auto wrote = os::write_some(to, text);
    if (!wrote || *wrote == 0) return;
    text.remove_prefix(*wrote);
  }
}

bool run_pager(const std::vector<std::string>& words, std::string_view text,
               const os::SignalState& signals) {
  auto pipe = os::make_pipe();
  if (!pipe) return false;
  os::Pid pid{};
  bool started = false;
  {
    auto pager = os::spawn({.argv = words,
                            .stdin_from = os::StdinFrom::kHandle,
                            .input = pipe->read_end.get(),
                            .signals = signals});
    if (!pager) return false;
    pid = pager->child().pid;
    pipe->read_end.reset();
    if (pager->release()) {
      const auto failure = pager->read_start();
      started = failure && !*failure;
    }
  }  // the gate of one that was not released closes here, and it ends
  if (started) feed(pipe->write_end, text);
  pipe->write_end.reset();
  const auto end = os::reap_child(pid);
  return started && end && end->how == os::ChildEnd::How::kExited && end->value == 0;
}

// A Ctrl-C was for the pager.
void drop_waiting_signals() {
  auto inbox = os::SignalInbox::open();
  while (inbox) {
    const auto next = inbox->next();
    if (!next || !*next) return;
  }
}

}  // namespace

bool shown_in_pager(const Console& console, std::string_view text) {
  if (!console.is_terminal(os::Stream::kOut) || fits_terminal(console, text)) return false;
  if (console.env("TERM").value_or("dumb") == "dumb") return false;
  const std::vector<std::string> words = pager_words(console);
  if (words.empty()) return false;
  const auto signals = os::block_signals();
  if (!signals) return false;
  const bool shown = run_pager(words, text, *signals);
  drop_waiting_signals();
  const auto restored = os::restore_signals(*signals);
  static_cast<void>(restored);  // the program is about to end
  return shown;
}

}  // namespace holdfast::cli
