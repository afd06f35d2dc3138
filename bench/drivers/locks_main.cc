// SPDX-License-Identifier: Apache-2.0
//
// hf_bench_locks WHAT DIR …, see the five files beside this one; the suites of locks call it.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "locks_bench.h"

namespace holdfast::bench {

void die(std::string_view what, std::string_view why) {
  std::fprintf(stderr, "hf_bench_locks: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(why.size()), why.data());
  std::_Exit(1);  // a forked process runs no destructor of its parent's
}

void must(bool good, std::string_view what) {
  if (!good) die(what, std::strerror(errno));
}

double now_us() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double at_rank(std::vector<double> values, double rank) {
  if (values.empty()) die("no values", "nothing was measured");
  std::ranges::sort(values);
  const auto at = static_cast<std::size_t>(rank * static_cast<double>(values.size()));
  return values[std::min(at, values.size() - 1)];
}

void print(std::string_view name, const std::vector<double>& values) {
  std::printf("%.*s\t", static_cast<int>(name.size()), name.data());
  for (const double value : values)
    std::printf("%s%.4f", &value == values.data() ? "" : " ", value);
  std::printf("\n");
}

int start_process(const std::function<void()>& work) {
  const pid_t pid = ::fork();
  must(pid >= 0, "fork");
  if (pid != 0) return pid;
  work();
  std::_Exit(0);
}

void reap(int pid) {
  int status = 0;
  must(::waitpid(pid, &status, 0) == pid, "waitpid");
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (!killed && status != 0) die("a process failed", std::to_string(status));
}

void* shared_bytes(std::size_t size) {
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  must(at != MAP_FAILED, "mmap");
  return at;
}

Result<EventReceipt> BufferingSink::record(const Event& event) {
  constexpr std::size_t kEnough = 256;
  if (kept_.size() == kEnough) kept_.clear();
  kept_.emplace_back(event.type, event.data.json());
  return EventReceipt{.kept = EventReceipt::Kept::kBuffered};
}

std::unique_ptr<lock::Lock> Locks::seat() {
  return must(backend_.open({.kind = lock::LockId::Kind::kNamed, .text = "bench"}));
}

void acquire(lock::Lock& lock) {
  const auto outcome = lock.acquire({.wait = std::nullopt});
  if (!outcome || !outcome->granted()) die("acquire", "not granted");
}

void release(lock::Lock& lock) {
  if (must(lock.release()) != lock::Owned::kYes) die("release", "lost");
}

namespace {

class Ours final : public Contender {
 public:
  explicit Ours(const std::string& dir) : locks_(dir), seat_(locks_.seat()) {}
  void acquire() override { bench::acquire(*seat_); }
  void release() override { bench::release(*seat_); }

 private:
  Locks locks_;
  std::unique_ptr<lock::Lock> seat_;
};

class Flock final : public Contender {
 public:
  explicit Flock(const std::string& dir)
      : fd_(::open((dir + "/flock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    must(fd_ >= 0, "open");
  }
  Flock(const Flock&) = delete;
  Flock& operator=(const Flock&) = delete;
  Flock(Flock&&) = delete;
  Flock& operator=(Flock&&) = delete;
  ~Flock() override { ::close(fd_); }
  void acquire() override { must(::flock(fd_, LOCK_EX) == 0, "flock"); }
  void release() override { must(::flock(fd_, LOCK_UN) == 0, "flock"); }

 private:
  int fd_;
};

int number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) die("no number", text);
  return value;
}

Side side_of(std::string_view word) {
  if (word != "ours" && word != "flock") die("neither ours nor flock", word);
  return word == "ours" ? Side::kOurs : Side::kFlock;
}

int run(const std::vector<std::string_view>& words) {
  if (words.size() < 3) die("usage", "hf_bench_locks WHAT DIR …");
  const std::string dir(words[1]);
  if (words[0] == "recover") return recover(dir, number(words[2]));
  if (words.size() < 4) die("usage", "a number is missing");
  if (words[0] == "pair") return pair(dir, words[2], number(words[3]));
  const int first = number(words[2]);
  if (words[0] == "contend") return contend(dir, first, side_of(words[3]));
  if (words[0] == "handover") return handover(dir, first, number(words[3]));
  if (words[0] == "idle") return idle(dir, first, number(words[3]));
  die("unknown", words[0]);
}

}  // namespace

std::unique_ptr<Contender> contender(Side side, const std::string& dir) {
  if (side == Side::kOurs) return std::make_unique<Ours>(dir);
  return std::make_unique<Flock>(dir);
}

}  // namespace holdfast::bench

int main(int argc, char** argv) {
  return holdfast::bench::run(std::vector<std::string_view>(argv + 1, argv + argc));
}
