// SPDX-License-Identifier: Apache-2.0
#include "testing/crash_sweep.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "testing/sys_swap_linux.h"

namespace holdfast::testing {
namespace {

enum class Cut : std::uint8_t { kBefore, kMiddle };

// One flag that the child raises and the parent reads after its death.
class SharedFlag {
 public:
  SharedFlag()
      : page_(::mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                     0)) {
    if (page_ == MAP_FAILED) std::abort();
  }
  ~SharedFlag() { ::munmap(page_, sizeof(bool)); }
  SharedFlag(const SharedFlag&) = delete;
  SharedFlag& operator=(const SharedFlag&) = delete;

  void raise() { *static_cast<volatile bool*>(page_) = true; }
  [[nodiscard]] bool raised() const { return *static_cast<const volatile bool*>(page_); }

 private:
  void* page_;
};

// To be made in the process that is to die.
class Executioner final : public CallHook {
 public:
  Executioner(std::size_t nth, Cut cut, SharedFlag& struck)
      : nth_(nth), cut_(cut), struck_(struck) {}

  Fate before(const CallSite& call) override {
    if (::getpid() != condemned_ || !call.mutates || ++seen_ != nth_) return {};
    struck_.raise();
    if (cut_ == Cut::kBefore) return {.kind = Fate::Kind::kDie};
    return {.kind = call.transfer_bytes > 1 ? Fate::Kind::kTear : Fate::Kind::kDie};
  }

 private:
  std::size_t nth_;
  Cut cut_;
  SharedFlag& struck_;
  pid_t condemned_ = ::getpid();
  std::size_t seen_ = 0;
};

enum class ChildEnd : std::uint8_t { kWell, kKilled, kOtherwise };

// Runs `work` in a forked child. The parent never ran the code under test, so the child starts with
// none of its state.
ChildEnd in_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child < 0) {
    ADD_FAILURE() << "cannot fork: errno " << errno;
    return ChildEnd::kOtherwise;
  }
  if (child == 0) {
    work();
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  pid_t reaped = -1;
  do {
    reaped = ::waitpid(child, &status, 0);
  } while (reaped < 0 && errno == EINTR);
  EXPECT_EQ(reaped, child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ChildEnd::kWell;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return ChildEnd::kKilled;
  return ChildEnd::kOtherwise;
}

}  // namespace

std::size_t crash_sweep(const CrashSweep& sweep) {
  for (std::size_t nth = 1;; ++nth) {
    bool finished = false;
    for (const Cut cut : {Cut::kBefore, Cut::kMiddle}) {
      sweep.prepare();
      SharedFlag struck;
      const ChildEnd end = in_child([&] {
        Executioner executioner(nth, cut, struck);
        OldKernel kernel(sweep.missing, &executioner);
        const ScopedCallHook hook(kernel);
        sweep.body();
      });
      finished = !struck.raised();
      EXPECT_EQ(end, finished ? ChildEnd::kWell : ChildEnd::kKilled)
          << "the body ended by itself, and not well, before mutation " << nth;
      EXPECT_EQ(in_child([&] { sweep.recover(finished ? 0 : nth); }), ChildEnd::kWell)
          << "recovery failed after death " << (cut == Cut::kBefore ? "before" : "inside")
          << " mutation " << nth;
    }
    if (finished || ::testing::Test::HasFailure()) return nth - 1;
  }
}

}  // namespace holdfast::testing
