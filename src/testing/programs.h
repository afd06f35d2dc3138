// SPDX-License-Identifier: Apache-2.0
//
// Programs that a unit test starts: itself once more (OwnStart), and hf_test_child.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/process/pidfd.h"
#include "os/spawn/child.h"
#include "os/spawn/program.h"
#include "os/spawn/spawn.h"
#include "os/stream/pipe.h"

namespace holdfast::testing {

// OwnStart: another start of this very test program, in which one disabled test runs. It is a real
// process, on either platform: to be watched, to contend with, and to be killed.
//
//   TEST(Holder, DISABLED_Holds) { …; testing::tell("held"); os::pause(1min); }   // what it does
//   testing::OwnStart holder({.test = "Holder.DISABLED_Holds"});
//   ASSERT_EQ(holder.hear(), "held");
//   holder.kill();
//
// It talks by lines that begin with '@'; what else it prints (GoogleTest's own lines) is passed
// over. It is killed at the end at the latest.
//
// tell: in the other start.
inline void tell(std::string_view what) {
  std::printf("@%.*s\n", static_cast<int>(what.size()), what.data());
  std::fflush(stdout);
}

class OwnStart {
 public:
  struct How {
    std::string test;
    std::vector<std::string> environment{};  // NAME=VALUE
    std::vector<os::NativeHandle> inherit{};
  };

  // The words that lead another start of this program to `test`.
  static std::vector<std::string> words(const std::string& test) {
    return {"--gtest_also_run_disabled_tests", "--gtest_filter=" + test, "--gtest_color=no"};
  }

  explicit OwnStart(const How& how) {
    auto pipe = os::make_pipe();
    const auto program = os::own_program_path();
    if (!pipe || !program) {
      ADD_FAILURE() << "no pipe, or no program";
      return;
    }
    os::SpawnRequest request;
    request.argv = {*program};
    for (std::string& word : words(how.test)) request.argv.push_back(std::move(word));
    request.stdin_from = os::StdinFrom::kNothing;
    request.stdout_to = os::StdoutTo::kHandle;
    request.output = pipe->write_end.get();
    request.environment = how.environment;
    request.inherit = how.inherit;
    auto spawned = os::spawn(request);
    if (!spawned || !spawned->release()) {
      ADD_FAILURE() << (spawned ? "not released" : to_sentence(spawned.error()));
      return;
    }
    spawned_.emplace(std::move(*spawned));
    hears_ = std::move(pipe->read_end);
  }
  OwnStart(const OwnStart&) = delete;
  OwnStart& operator=(const OwnStart&) = delete;
  ~OwnStart() { kill(); }

  [[nodiscard]] os::Pid pid() const { return spawned_->child().pid; }
  [[nodiscard]] const os::Handle& process() const { return spawned_->child().pidfd; }

  // The next thing it tells; empty: it has ended, or closed its output.
  std::string hear() {
    for (;;) {
      const std::size_t end = heard_.find('\n');
      if (end == std::string::npos) {
        std::array<char, 512> piece{};
        const auto got = os::read_pipe(hears_, piece);
        if (!got || *got == 0) return {};
        heard_.append(piece.data(), *got);
        continue;
      }
      std::string line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      if (line.ends_with('\r')) line.pop_back();
      if (line.starts_with('@')) return line.substr(1);
    }
  }

  // Its end, waited for.
  os::ChildEnd wait() {
    const auto end = os::reap_child(pid());
    EXPECT_TRUE(end) << (end ? "" : to_sentence(end.error()));
    reaped_ = true;
    return end ? *end : os::ChildEnd{};
  }

  void kill() {
    if (!spawned_ || reaped_) return;
    const auto sent = spawned_->child().signal(os::kSignalKill);
    EXPECT_TRUE(sent);
    wait();
  }

 private:
  std::optional<os::Spawned> spawned_;
  os::Handle hears_;
  std::string heard_;
  bool reaped_ = false;
};

// The words that start a behaviour of hf_test_child (child/child.h) from a unit test. The program
// lies at a fixed place beside the test programs of the build.
inline std::vector<std::string> test_child(std::vector<std::string> behaviour) {
  auto self = os::own_program_path();
  if (!self) std::abort();
  const std::size_t name = self->find_last_of("/\\");
  const std::size_t folder = self->find_last_of("/\\", name - 1);
  const std::string separator = self->substr(name, 1);
  const std::string ending = self->ends_with(".exe") ? ".exe" : "";
  std::vector<std::string> words;
  words.push_back(self->substr(0, folder) + separator + "testing" + separator + "child" +
                  separator + "hf_test_child" + ending);
  words.insert(words.end(), behaviour.begin(), behaviour.end());
  return words;
}

}  // namespace holdfast::testing
