// SPDX-License-Identifier: Apache-2.0
#include "testing/crash_sweep.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "testing/sys_swap_linux.h"

namespace holdfast::testing {
namespace {

enum class Cut : std::uint8_t { kBefore, kMiddle };

class Executioner final : public CallHook {
 public:
  Executioner(std::size_t nth, Cut cut) : nth_(nth), cut_(cut) {}

  Fate before(const CallSite& call) override {
    if (!call.mutates || ++seen_ != nth_) return {};
    if (cut_ == Cut::kBefore) return {.kind = Fate::Kind::kDie};
    return {.kind = call.transfer_bytes > 1 ? Fate::Kind::kTear : Fate::Kind::kDie};
  }

 private:
  std::size_t nth_;
  Cut cut_;
  std::size_t seen_ = 0;
};

// Runs `work` in a forked child and returns its wait status. The parent never ran the code under
// test, so the child starts with none of its state.
int in_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
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
  return status;
}

bool was_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

}  // namespace

std::size_t crash_sweep(const CrashSweep& sweep) {
  for (std::size_t nth = 1;; ++nth) {
    bool finished = false;
    for (const Cut cut : {Cut::kBefore, Cut::kMiddle}) {
      sweep.prepare();
      Executioner executioner(nth, cut);
      const int status = in_child([&] {
        OldKernel kernel(sweep.missing, &executioner);
        const ScopedCallHook hook(kernel);
        sweep.body();
      });
      finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      EXPECT_TRUE(finished || was_killed(status)) << "the body ended with wait status " << status;
      const int recovered = in_child([&] { sweep.recover(finished ? 0 : nth); });
      EXPECT_TRUE(WIFEXITED(recovered) && WEXITSTATUS(recovered) == 0)
          << "recovery failed after death " << (cut == Cut::kBefore ? "before" : "inside")
          << " mutation " << nth;
    }
    if (finished || ::testing::Test::HasFailure()) return nth - 1;
  }
}

}  // namespace holdfast::testing
