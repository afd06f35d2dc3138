// SPDX-License-Identifier: Apache-2.0
//
// What a child or an exec needs, laid out before; for src/os/*/*_linux.cc only.
//
// ChildPlan: all that a child needs from its birth to its command.
//
// It owns every byte that the child reads, so that it serves also a child that shares its parent's
// memory: nothing of it is allocated, changed or freed until the child has become its command or
// has ended. It does not move.
#pragma once

#include <signal.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "os/spawn/spawn.h"

namespace holdfast::os {

struct ChildPlan {
  // `request` is one that was checked. The streams, the gate and the report are set by the caller.
  explicit ChildPlan(const SpawnRequest& request);
  ChildPlan(const ChildPlan&) = delete;
  ChildPlan& operator=(const ChildPlan&) = delete;
  ~ChildPlan() = default;

  std::vector<const char*> programs{};
  bool searched = false;  // along PATH
  std::vector<char*> argv{};
  std::vector<char*> environment{};
  const char* directory = nullptr;  // null: stay
  int input = 0;                    // what becomes the three streams
  int output = 1;
  int errors = 2;
  SpawnSession session = SpawnSession::kKeep;
  std::vector<int> inherit{};
  sigset_t mask{};
  bool ignore_child_signal = false;
  int gate_read = -1;
  int gate_write = -1;
  int report = -1;

 private:
  // What the pointers lead to.
  std::vector<std::string> candidates_{};
  std::vector<std::string> words_{};
  std::string directory_{};
  std::string variables_{};
};

// What execve wants: words and variables as lists of pointers that end with a null pointer. They
// point into their arguments and into the environment; neither may change meanwhile.

// Each must be NAME=VALUE without a NUL byte. kRefused: `unsafe-name`, `bad-environment`.
Result<> check_environment(const std::vector<std::string>& added);

// The caller's variables that neither `added` nor `removed` (names alone) has, then `added`; of two
// in it, the last.
std::vector<char*> environment_with(const std::vector<std::string>& added,
                                    const std::vector<std::string>& removed = {});

std::vector<char*> exec_words(const std::vector<std::string>& argv);

// Why a child could not be made, from errno. Its EAGAIN is a limit that was reached and so kOsRefused,
// not "busy".
Error cannot_start();

}  // namespace holdfast::os
