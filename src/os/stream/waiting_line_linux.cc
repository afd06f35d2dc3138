// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <ctime>
#include <string_view>
#include <utility>

#include "os/stream/waiting_line.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

namespace {

constexpr std::string_view kClearWaiting = "\r\033[K";
constexpr int kSecondMs = 1000;
constexpr std::size_t kWaitingStack = std::size_t{64} * 1024;

void write_waiting(std::string_view text) {
  const auto written = sys().write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(written);  // a terminal that is gone needs no line
}

// Appends ` 12s`, ` 3m`, ` 2h`.
class AgeText {
 public:
  explicit AgeText(long seconds) {
    long number = seconds;
    char unit = 's';
    if (seconds >= 3600) {
      number = seconds / 3600;
      unit = 'h';
    } else if (seconds >= 60) {
      number = seconds / 60;
      unit = 'm';
    }
    bytes_[0] = ' ';
    char* end = std::to_chars(bytes_.data() + 1, bytes_.data() + bytes_.size() - 1, number).ptr;
    *end++ = unit;
    size_ = static_cast<std::size_t>(end - bytes_.data());
  }
  [[nodiscard]] std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, 32> bytes_{};
  std::size_t size_ = 0;
};

long monotonic_seconds() {
  timespec now{};
  sys().clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

}  // namespace

struct WaitingLine::State {
  std::string line;  // the sequence that clears what was there, and the text
  std::atomic<bool> shown{false};
  pthread_t thread{};

  // Sleeping is where the thread is cancelled.
  static void* renew(void* argument) {
    auto& state = *static_cast<State*>(argument);
    const long begun = monotonic_seconds();
    for (;;) {
      sys().poll(nullptr, 0, kSecondMs);
      int before = 0;
      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
      state.shown.store(true);
      write_waiting(state.line);
      write_waiting(AgeText(monotonic_seconds() - begun).text());
      pthread_setcancelstate(before, &before);
    }
    return nullptr;
  }
};

std::unique_ptr<WaitingLine> WaitingLine::show(std::string text) {
  auto state = std::make_unique<State>();
  state->line = std::string(kClearWaiting) + std::move(text);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kWaitingStack);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sys().sigprocmask(SIG_SETMASK, &all, &before);
  const int failed = pthread_create(&state->thread, &attributes, &State::renew, state.get());
  sys().sigprocmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (failed != 0) return nullptr;
  return std::unique_ptr<WaitingLine>(new WaitingLine(std::move(state)));
}

WaitingLine::WaitingLine(std::unique_ptr<State> state) : state_(std::move(state)) {}

WaitingLine::~WaitingLine() {
  pthread_cancel(state_->thread);
  pthread_join(state_->thread, nullptr);
  clear();
}

void WaitingLine::clear() {
  if (state_->shown.exchange(false)) write_waiting(kClearWaiting);
}

}  // namespace holdfast::os
