// SPDX-License-Identifier: Apache-2.0
//
// A pipeline that is disturbed: by signals, by the death of its front end, by a stranger who holds
// its output, by failing calls on either side. What must hold each time: it comes to its end,
// nothing of the tree lives on, no descriptor stays open.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>

#include "os/machine/real_clock.h"
#include "os/stream/pipe.h"
#include "supervise/pipeline.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::supervise {
namespace {

using std::chrono::milliseconds;

// Every process that is started while it lives inherits the writing end of a pipe, which hangs up
// when the last of them is gone.
class Witness {
 public:
  Witness() { EXPECT_EQ(::fcntl(static_cast<int>(pipe_.write_end.get()), F_SETFD, 0), 0); }
  // Waits for it; a test that leaves somebody behind does not end.
  void expect_all_gone() {
    pipe_.write_end.reset();
    char byte = 0;
    EXPECT_EQ(os::read_pipe(pipe_.read_end, {&byte, 1}).value(), 0U);
  }

 private:
  os::Pipe pipe_ = os::make_pipe().value();
};

const TakeOutput kIgnore = [](std::string_view) { return Result<>(); };

TEST(PipelineDisturbed, OneThatIsAskedToEndHasNotSucceededWhateverItsCode) {
  const PipelineRequest request{
      .stages = {{"sh", "-c", "trap 'exit 0' TERM; echo half; while :; do sleep 0.01; done"}}};
  const auto report = run_pipeline(os::RealClock(), request, [](std::string_view) {
    ::kill(::getpid(), SIGTERM);
    return Result<>();
  });
  ASSERT_TRUE(report);
  EXPECT_EQ(report->stages[0].exit_code, 0);
  EXPECT_EQ(report->interrupted, SIGTERM);
  EXPECT_FALSE(report->succeeded());
  EXPECT_EQ(describe_failure(*report), "it was interrupted by signal TERM");
}

// Is asked to end when the report is there and is about to be read.
class AskedAtTheReport final : public testing::CallHook {
 public:
  testing::Fate before(const testing::CallSite& call) override {
    constexpr std::size_t kLongerThanASignal = 1000;
    if (::getpid() != self_ || asked_ || call.name != "read") return {};
    if (call.transfer_bytes < kLongerThanASignal) return {};
    asked_ = true;
    ::kill(self_, SIGTERM);
    return {};
  }
  [[nodiscard]] bool asked() const { return asked_; }

 private:
  pid_t self_ = ::getpid();
  bool asked_ = false;
};

TEST(PipelineDisturbed, OneThatIsAskedToEndAsItEndsLivesToTellIt) {
  AskedAtTheReport hook;
  const testing::ScopedCallHook hooked(hook);
  const auto report = run_pipeline(
      os::RealClock(), {.stages = {{"true"}}, .output = PipelineRequest::Output::kStderr},
      TakeOutput());
  ASSERT_TRUE(report);
  EXPECT_TRUE(hook.asked());
  EXPECT_EQ(report->stages[0].exit_code, 0);
  EXPECT_EQ(report->interrupted, SIGTERM);
}

TEST(PipelineDisturbed, TheDeathOfTheFrontEndEndsTheTree) {
  for (const char* script : {"echo; sleep 600", "yes", "trap '' TERM PIPE; yes", "yes & echo"}) {
    SCOPED_TRACE(script);
    Witness witness;
    const pid_t front = ::fork();
    if (front == 0) {
      const auto report = run_pipeline(
          os::RealClock(), {.stages = {{"sh", "-c", script}}, .grace = milliseconds(50)},
          [](std::string_view) {
            ::kill(::getpid(), SIGKILL);
            return Result<>();
          });
      ::_exit(report ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(front, &status, 0), front);
    EXPECT_TRUE(WIFSIGNALED(status));
    witness.expect_all_gone();
  }
}

TEST(PipelineDisturbed, AStrangerWhoHoldsTheOutputCannotMakeItWaitForEver) {
  const testing::TempDir tmp;
  const std::string gate = tmp.path("gate");
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  int held = -1;
  std::string taken;
  const auto report =
      run_pipeline(os::RealClock(), {.stages = {{"sh", "-c", "echo $$; cat \"$1\"", "sh", gate}}},
                   [&](std::string_view bytes) {
                     if (held < 0) {  // the first piece is its pid
                       const std::string pid(bytes.substr(0, bytes.find('\n')));
                       held = ::open(("/proc/" + pid + "/fd/1").c_str(), O_WRONLY | O_CLOEXEC);
                       const int fifo = ::open(gate.c_str(), O_WRONLY | O_CLOEXEC);
                       EXPECT_EQ(::write(fifo, "last words\n", 11), 11);
                       ::close(fifo);
                     }
                     taken += bytes;
                     return Result<>();
                   });
  EXPECT_GE(held, 0);
  ::close(held);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->empty);
  EXPECT_TRUE(report->stages[0].succeeded());
  EXPECT_TRUE(taken.ends_with("\nlast words\n")) << taken;
  EXPECT_FALSE(report->output_ended);
  EXPECT_FALSE(report->succeeded());
  EXPECT_NE(describe_failure(*report), "");
}

struct Fault {
  const char* call;
  int os_code;
};

// Fails the `at`th call of a name, or all from there on, in the front end or in the shim.
class FailCalls final : public testing::CallHook {
 public:
  enum class In : std::uint8_t { kFrontEnd, kShim };
  struct From {
    int at = 1;
    bool for_good = false;
  };
  FailCalls(In in, const Fault& fault, From from) : in_(in), fault_(fault), from_(from) {}
  testing::Fate before(const testing::CallSite& call) override {
    const pid_t self = in_ == In::kFrontEnd ? ::getpid() : ::getppid();
    if (self != front_ || !testing::is_call(call, fault_.call)) return {};
    ++seen_;
    if (from_.for_good ? seen_ < from_.at : seen_ != from_.at) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = fault_.os_code};
  }
  [[nodiscard]] bool fired() const { return seen_ >= from_.at; }  // in the front end

 private:
  In in_;
  Fault fault_;
  From from_;
  int seen_ = 0;
  pid_t front_ = ::getpid();
};

std::size_t pipeline_fault_open_descriptors() {
  std::size_t open = 0;
  for (int fd = 0; fd < 1024; ++fd) open += ::fcntl(fd, F_GETFD) != -1 ? 1 : 0;
  return open;
}

// One run under the fault, of a producer of `size` bytes. False: the call was not made so often.
bool ends_under(const Fault& fault, FailCalls::From from, std::size_t size) {
  Witness witness;
  sigset_t mask;
  ::sigprocmask(SIG_SETMASK, nullptr, &mask);
  const std::size_t before = pipeline_fault_open_descriptors();
  const PipelineRequest request{
      .stages = {{"head", "-c", std::to_string(size), "/dev/zero"}, {"cat"}},
      .grace = milliseconds(200)};
  std::size_t taken = 0;
  bool fired = false;
  {
    FailCalls hook(FailCalls::In::kFrontEnd, fault, from);
    const testing::ScopedCallHook scope(hook);
    const auto report = run_pipeline(os::RealClock(), request, [&](std::string_view bytes) {
      taken += bytes.size();
      return Result<>();
    });
    fired = hook.fired();
    EXPECT_TRUE(!report || !report->succeeded() || taken == size) << taken;
  }
  EXPECT_EQ(pipeline_fault_open_descriptors(), before);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);  // where setting it back was what failed
  witness.expect_all_gone();
  while (::waitpid(-1, nullptr, 0) > 0) {  // where reaping the shim was what failed
  }
  return fired;
}

// How often the front end waits depends on the moment, so its calls are counted as they come, until
// one is not made any more or kMost is reached. A pipe does not hold the longer output: who stops
// reading it and still waits for the report waits for ever.
TEST(PipelineDisturbed, WhateverCallFailsInTheFrontEndTheTreeEndsAndNothingStaysOpen) {
  constexpr int kMost = 20;
  for (const Fault& fault : {Fault{"sigprocmask", EINVAL},
                             {"sigaction", EINVAL},
                             {"signalfd", EMFILE},
                             {"pipe2", EMFILE},
                             {"fork", EAGAIN},
                             {"pidfd_open", EMFILE},
                             {"poll", ENOMEM},
                             {"read", EIO},
                             {"fstat", EIO},
                             {"waitid", ECHILD}}) {
    for (const std::size_t size : {5U, 300'000U}) {
      for (const bool for_good : {false, true}) {
        bool fired = true;
        for (int at = 1; fired && at <= kMost; ++at) {
          SCOPED_TRACE(std::string(fault.call) + " number " + std::to_string(at));
          fired = ends_under(fault, {.at = at, .for_good = for_good}, size);
        }
      }
    }
  }
}

// Which of its calls is the look for writers depends on the moment; whichever fails, a writer that
// was left behind does not pass unseen.
TEST(PipelineDisturbed, AHeldOutputIsNoSuccessWhicheverWaitFailsInTheShim) {
  for (int at = 1; at <= 12; ++at) {
    SCOPED_TRACE(at);
    Witness witness;
    FailCalls hook(FailCalls::In::kShim, {"poll", ENOMEM}, {.at = at});
    const testing::ScopedCallHook scope(hook);
    const auto report =
        run_pipeline(os::RealClock(), {.stages = {{"sh", "-c", "sleep 600 & echo now"}}}, kIgnore);
    EXPECT_TRUE(!report || !report->succeeded());
    witness.expect_all_gone();
  }
}

TEST(PipelineDisturbed, AStageThatCannotBeMadeLetsNoOtherRun) {
  const testing::TempDir tmp;
  const std::string mark = tmp.path("mark");
  for (const Fault fault : {Fault{"fork", EAGAIN}, {"pipe2", EMFILE}, {"setsid", EPERM}}) {
    const int at = std::string_view(fault.call) == "setsid" ? 1 : 2;
    SCOPED_TRACE(fault.call);
    Witness witness;
    FailCalls hook(FailCalls::In::kShim, fault, {.at = at});
    const testing::ScopedCallHook scope(hook);
    const auto report =
        run_pipeline(os::RealClock(), {.stages = {{"touch", mark}, {"touch", mark}}}, kIgnore);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kOsRefused);
    witness.expect_all_gone();
    EXPECT_NE(::access(mark.c_str(), F_OK), 0);
  }
}

TEST(PipelineDisturbed, AGateThatDoesNotOpenEndsThoseThatRunAlready) {
  Witness witness;
  FailCalls hook(FailCalls::In::kShim, {"write", EIO},
                 {.at = 2});  // the first write opens the first gate
  const testing::ScopedCallHook scope(hook);
  const auto report =
      run_pipeline(os::RealClock(), {.stages = {{"sleep", "600"}, {"cat"}}}, kIgnore);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().cause, "eio");
  witness.expect_all_gone();
}

}  // namespace
}  // namespace holdfast::supervise
