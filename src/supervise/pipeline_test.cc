// SPDX-License-Identifier: Apache-2.0
#include "supervise/pipeline.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "os/machine/real_clock.h"
#include "testing/temp_dir.h"

namespace holdfast::supervise {
namespace {

using PipelineKind = os::StartFailure::Kind;
using Stages = std::vector<std::vector<std::string>>;
using std::chrono::milliseconds;

std::size_t pipeline_open_descriptors() {
  std::size_t open = 0;
  for (int fd = 0; fd < 1024; ++fd) open += ::fcntl(fd, F_GETFD) != -1 ? 1 : 0;
  return open;
}

class Pipeline : public ::testing::Test {
 protected:
  // Runs it and keeps what it prints in `taken_`. Whatever the test, no descriptor stays open.
  Result<PipelineReport> run(const PipelineRequest& request) {
    return run(request, [&](std::string_view bytes) {
      taken_ += bytes;
      return Result<>();
    });
  }
  static Result<PipelineReport> run(const PipelineRequest& request, const TakeOutput& take) {
    const std::size_t before = pipeline_open_descriptors();
    auto report = run_pipeline(os::RealClock(), request, take);
    EXPECT_EQ(pipeline_open_descriptors(), before) << "a descriptor stayed open";
    return report;
  }
  PipelineReport run_stages(const Stages& stages) { return run({.stages = stages}).value(); }

  std::string make_file(const char* name, std::string_view content, mode_t mode) const {
    const std::string path = tmp_.path(name);
    std::ofstream(path) << content;
    ::chmod(path.c_str(), mode);
    return path;
  }

  std::string make_fifo(const char* name) const {
    const std::string path = tmp_.path(name);
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }

  testing::TempDir tmp_;
  std::string taken_;
};

std::optional<PipelineKind> kind_of(const StageEnd& stage) {
  return stage.start_failure ? std::optional(stage.start_failure->kind) : std::nullopt;
}

long resident_kib() {
  std::ifstream statm("/proc/self/statm");
  long size = 0;
  long resident = 0;
  statm >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE) / 1024;
}

TEST_F(Pipeline, ALongOutputArrivesWholeAndInOrderAndIsNotKept) {
  constexpr std::uint64_t kLast = 8'700'000;
  std::uint64_t number = 0;    // being read
  std::uint64_t expected = 1;  // of the line
  std::uint64_t wrong = 0;
  std::uint64_t bytes = 0;
  long most = 0;
  const long before = resident_kib();
  const auto report = run({.stages = {{"seq", "1", std::to_string(kLast)}}}, [&](auto piece) {
    for (const char c : piece) {
      if (c != '\n') {
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
        continue;
      }
      wrong += number == expected ? 0 : 1;
      ++expected;
      number = 0;
    }
    bytes += piece.size();
    most = std::max(most, resident_kib());
    return Result<>();
  });
  ASSERT_TRUE(report && report->succeeded());
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(expected, kLast + 1);
  EXPECT_EQ(report->bytes, bytes);
  EXPECT_GT(bytes, std::uint64_t{64} << 20U);
  // Half of it, so that it also holds under a sanitizer, which keeps memory for itself.
  EXPECT_LT(most - before, 32 * 1024) << "KiB more than before";
}

TEST_F(Pipeline, EachStageReadsWhatTheOneBeforePrints) {
  const auto report = run_stages({{"printf", "b\na\nb\n"}, {"sort"}, {"uniq", "-c"}});
  EXPECT_TRUE(report.succeeded());
  EXPECT_EQ(taken_, "      1 a\n      2 b\n");
  EXPECT_EQ(report.bytes, taken_.size());
  EXPECT_EQ(describe_failure(report), "");
}

TEST_F(Pipeline, WhicheverStageFailsIsNamedWithItsWay) {
  const std::string plain = make_file("plain", "x", 0644);
  struct Way {
    std::vector<std::string> argv;
    std::string sentence;
    std::optional<int> exit_code;
    std::optional<int> signal;
    std::optional<PipelineKind> not_started;
  };
  const std::vector<Way> ways{
      {{"sh", "-c", "cat; exit 5"}, "`sh` exited with 5", 5, {}, {}},
      {{"sh", "-c", "cat; kill -KILL $$"}, "`sh` died of signal KILL", {}, SIGKILL, {}},
      {{"no-such-command"}, "`no-such-command` was not found", {}, {}, PipelineKind::kNotFound},
      {{plain},
       "`" + plain + "` cannot be executed: Permission denied",
       {},
       {},
       PipelineKind::kNotExecutable}};
  for (const Way& way : ways) {
    for (const std::size_t at : {0U, 1U, 2U}) {
      Stages stages(3, {"cat"});
      stages[at] = way.argv;
      const auto report = run_stages(stages);
      EXPECT_FALSE(report.succeeded());
      EXPECT_TRUE(report.empty);
      EXPECT_EQ(describe_failure(report), way.sentence) << at;
      const StageEnd& stage = report.stages.at(at);
      EXPECT_EQ(stage.command, way.argv.front());
      EXPECT_EQ(stage.exit_code, way.exit_code);
      EXPECT_EQ(stage.signal, way.signal);
      EXPECT_EQ(kind_of(stage), way.not_started);
    }
  }
}

TEST_F(Pipeline, AWriterThatAStageLeavesBehindIsEndedAndAddsNothing) {
  const auto report = run_stages({{"sh", "-c", "(sleep 600 && echo late) & echo now"}});
  EXPECT_EQ(taken_, "now\n");
  EXPECT_TRUE(report.empty);
  EXPECT_TRUE(report.output_ended);
  EXPECT_TRUE(report.output_cut);
  EXPECT_FALSE(report.succeeded()) << "it may have been about to write the rest";
  EXPECT_EQ(describe_failure(report),
            "it left processes behind that still held its output and had to be ended, so the "
            "output may be cut short");
}

TEST_F(Pipeline, WhatAWriterThatIsEndedWritesOnItsTermDoesNotMakeTheOutputWhole) {
  const std::string gate = make_fifo("gate");
  const auto report =
      run_stages({{"sh", "-c",
                   "(trap 'echo more; exit 0' TERM; echo >\"$1\"; while :; do sleep 0.01; done) & "
                   "read -r ready <\"$1\"; echo now",
                   "sh", gate}});
  EXPECT_EQ(taken_, "now\nmore\n");
  EXPECT_TRUE(report.stages[0].succeeded());
  EXPECT_TRUE(report.output_cut);
  EXPECT_FALSE(report.succeeded());
}

TEST_F(Pipeline, OneLeftBehindThatDoesNotHoldTheOutputIsEndedAndNoFailure) {
  const std::string gate = make_fifo("gate");
  for (const std::string script :
       {"(exec >/dev/null 2>&1; echo >\"$1\"; exec sleep 600) & read -r done <\"$1\"; echo whole",
        "(echo whole; exec >/dev/null; echo >\"$1\") & read -r done <\"$1\"",
        // It had a part in it, and let go of it before the command ended.
        "(printf who; exec >/dev/null; echo >\"$1\"; sleep 600) & read -r done <\"$1\"; echo le"}) {
    taken_.clear();
    const auto report = run_stages({{"sh", "-c", script, "sh", gate}});
    EXPECT_EQ(taken_, "whole\n");
    EXPECT_TRUE(report.empty);
    EXPECT_TRUE(report.succeeded()) << describe_failure(report);
  }
}

TEST_F(Pipeline, OnlyTheLastStagesOutputCountsAsHeld) {
  const std::vector<std::string> leaves_one{"sh", "-c", "sleep 600 & echo line"};
  EXPECT_TRUE(run_stages({leaves_one, {"head", "-n", "1"}}).succeeded());
  EXPECT_TRUE(run_stages({{"true"}, leaves_one}).output_cut);
  const auto untaken =
      run({.stages = {leaves_one}, .output = PipelineRequest::Output::kStderr}, TakeOutput());
  ASSERT_TRUE(untaken);
  EXPECT_TRUE(untaken->succeeded()) << "nobody takes it";
}

TEST_F(Pipeline, AtTheTimeLimitOneThatIgnoresTermIsKilled) {
  const auto report = run({.stages = {{"sh", "-c", "trap '' TERM; while :; do sleep 1; done"}},
                           .timeout = milliseconds(2000),  // by then it ignores it
                           .grace = milliseconds(50)});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->timed_out);
  EXPECT_TRUE(report->empty);
  EXPECT_EQ(report->stages[0].signal, SIGKILL);
  EXPECT_FALSE(report->succeeded());
  EXPECT_EQ(describe_failure(*report), "`sh` did not end within its time limit");
}

TEST_F(Pipeline, ATakerThatSaysNoEndsAnEndlessProducerAndIsNotAskedAgain) {
  for (const Stages& stages :
       {Stages{{"yes"}}, Stages{{"yes"}, {"cat"}},
        Stages{{"sh", "-c", "trap '' TERM PIPE; echo y; while :; do sleep 0.01; done"}}}) {
    int asked = 0;
    const auto report =
        run({.stages = stages, .grace = milliseconds(50)}, [&](std::string_view) -> Result<> {
          ++asked;
          return fail({.code = ErrorCode::kIo, .op = "write", .cause = "enospc"});
        });
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().cause, "enospc");
    EXPECT_EQ(report.error().detail, "");
    EXPECT_EQ(asked, 1);
  }
}

TEST_F(Pipeline, TheInputIsAFileFromItsPositionOrNothingOrTheCallersOwn) {
  const std::string path = make_file("in", "one\ntwo\n", 0644);
  const os::File file(os::Handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), path);
  ASSERT_EQ(::lseek(static_cast<int>(file.native()), 4, SEEK_SET), 4);
  const int own = ::dup(STDIN_FILENO);
  const int other = ::open(make_file("own", "own\n", 0644).c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::dup2(other, STDIN_FILENO), STDIN_FILENO);
  using Input = PipelineRequest::Input;
  std::string got;
  for (const Input input : {Input::kFile, Input::kNothing, Input::kStdin}) {
    taken_.clear();
    const auto report = run({.stages = {{"cat"}, {"cat"}}, .input = input, .input_file = &file});
    EXPECT_TRUE(report && report->succeeded());
    got += "[" + taken_ + "]";
  }
  ::dup2(own, STDIN_FILENO);
  ::close(own);
  ::close(other);
  EXPECT_EQ(got, "[two\n][][own\n]");
}

TEST_F(Pipeline, DirectoryAndEnvironmentAreThoseOfEveryStage) {
  make_file("here", "#!/bin/sh\ncat; echo \"$A $B\"; pwd\n", 0755);
  const auto report = run({.stages = {{"./here"}, {"here"}},
                           .directory = tmp_.path(),
                           .environment = {"A=old", "B=b", "A=a=a", "PATH=/usr/bin:/bin:."}});
  ASSERT_TRUE(report && report->succeeded()) << describe_failure(*report);
  EXPECT_EQ(taken_, "a=a b\n" + tmp_.path() + "\na=a b\n" + tmp_.path() + "\n");
}

TEST_F(Pipeline, ADirectoryThatCannotBeEnteredIsSaidNotTakenForAMissingCommand) {
  const auto report = run({.stages = {{"true"}}, .directory = tmp_.path("absent")});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->stages[0].start_failure->kind, PipelineKind::kNoDirectory);
  EXPECT_EQ(describe_failure(*report),
            "`true` cannot be started in its directory: No such file or directory");
}

TEST_F(Pipeline, OneThatCannotStartEndsTheOthersWhetherTheyPrintOrNot) {
  for (const Stages& stages :
       {Stages{{"yes"}, {"no-such-command"}}, Stages{{"sleep", "60"}, {"no-such-command"}},
        Stages{{"no-such-command"}, {"sleep", "60"}}}) {
    const auto report = run_stages(stages);
    EXPECT_TRUE(report.empty);
    EXPECT_FALSE(report.timed_out);
    EXPECT_EQ(describe_failure(report), "`no-such-command` was not found");
  }
}

TEST_F(Pipeline, AReaderThatStopsEarlyMakesTheWriterDieOfSigpipeAndThatIsSaid) {
  const auto report = run_stages({{"yes"}, {"head", "-n", "1"}});
  EXPECT_EQ(taken_, "y\n");
  EXPECT_EQ(report.stages[0].signal, SIGPIPE);
  EXPECT_TRUE(report.stages[1].succeeded());
  EXPECT_FALSE(report.succeeded());
  EXPECT_EQ(describe_failure(report), "`yes` died of signal PIPE");
}

TEST_F(Pipeline, TheVictimOfABrokenPipeIsNotBlamedForIt) {
  const auto report = run_stages({{"yes"}, {"sh", "-c", "exit 5"}});
  EXPECT_EQ(report.stages[0].signal, SIGPIPE);
  EXPECT_EQ(describe_failure(report), "`sh` exited with 5");
}

TEST_F(Pipeline, TheCommandsGetNoDescriptorOfOurs) {
  std::string expected = "0\n1\n2\n";
  for (int fd = 3; fd < 1024; ++fd) {
    const int flags = ::fcntl(fd, F_GETFD);
    if (flags != -1 && (flags & FD_CLOEXEC) == 0) expected += std::to_string(fd) + "\n";
  }
  const std::vector<std::string> list{"sh", "-c", "cat; ls -v /proc/$$/fd; :"};
  const auto report = run_stages({list, list, list});
  EXPECT_TRUE(report.succeeded());
  EXPECT_EQ(taken_, expected + expected + expected);
}

TEST_F(Pipeline, OutputThatIsNotTakenGoesToStderr) {
  ::testing::internal::CaptureStderr();
  const auto report =
      run({.stages = {{"echo", "said"}}, .output = PipelineRequest::Output::kStderr}, TakeOutput());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "said\n");
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->succeeded());
}

TEST_F(Pipeline, WhatIsNoPipelineIsRefusedBeforeAnythingRuns) {
  const std::string mark = tmp_.path("mark");
  const std::vector<PipelineRequest> wrong{
      {.stages = {}},
      {.stages = {{"touch", mark}, {}}},
      {.stages = Stages(kMaxCommands + 1, {"touch", mark})},
      {.stages = {{"touch", mark}}, .input = PipelineRequest::Input::kFile},
      {.stages = {{"touch", mark}, {std::string("a\0b", 3)}}},
      {.stages = {{"touch", mark}}, .environment = {"NAME"}},
      {.stages = {{"touch", mark}}, .environment = {"=VALUE"}},
  };
  for (const PipelineRequest& request : wrong) EXPECT_FALSE(run(request));
  EXPECT_NE(::access(mark.c_str(), F_OK), 0);
  EXPECT_TRUE(run_stages(Stages(kMaxCommands, {"cat"})).succeeded()) << "as many as may be";
}

}  // namespace
}  // namespace holdfast::supervise
