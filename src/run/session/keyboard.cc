// SPDX-License-Identifier: Apache-2.0
#include "run/session/keyboard.h"

#include <array>

#include "os/file/file.h"
#include "os/spawn/inherited.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"

namespace holdfast::run {
namespace {

constexpr os::NativeHandle kKeyboardStdin = 0;
constexpr char kEndOfInput = 4;  // Ctrl-D
// The kernel keeps 4096 bytes for who does not read; a small piece fits once it says that there is
// room.
constexpr std::size_t kPiece = 256;

}  // namespace

void Keyboard::begin() {
  pty_.slave.reset();  // the supervisor has it; with a copy here it would never hang up
  if (auto copy = os::copy_handle(kKeyboardStdin)) input_ = std::move(*copy);
  if (auto raw = os::RawTerminal::enter(kKeyboardStdin)) raw_.emplace(std::move(*raw));
  follow_size();
}

void Keyboard::add_handles(std::vector<const os::Handle*>& readable,
                           std::vector<const os::Handle*>& writable) const {
  if (typed_.empty()) {
    readable.push_back(&input_);
  } else {
    writable.push_back(&pty_.master);
  }
}

void Keyboard::round() {
  follow_size();
  pass_on();
  if (typed_.empty()) take_keys();
  pass_on();
}

// A change of the caller's window is a signal, and that ends the wait.
void Keyboard::follow_size() {
  const auto now = os::window_size(kKeyboardStdin);
  if (!now || now == size_) return;
  size_ = now;
  const auto set = os::set_window_size(pty_.master, *now);
  static_cast<void>(set);  // then it has the size that it had
}

void Keyboard::take_keys() {
  if (!input_.valid() || !os::is_readable(input_).value_or(false)) return;
  std::array<char, kPiece> keys{};
  const auto got = os::read_pipe(input_, keys);
  if (got && *got > 0) {
    typed_.assign(keys.data(), *got);
    in_line_ = typed_.back() != '\n';
    return;
  }
  input_.reset();
  if (raw_) return;
  // In the middle of a line the first one only hands that line over.
  typed_ = in_line_ ? std::string(2, kEndOfInput) : std::string(1, kEndOfInput);
}

void Keyboard::pass_on() {
  if (typed_.empty() || !os::is_writable(pty_.master).value_or(false)) return;
  const auto written = os::write_some(pty_.master, typed_);
  // Nobody has the terminal any more: the run is at its end.
  typed_.erase(0, written.value_or(typed_.size()));
}

}  // namespace holdfast::run
