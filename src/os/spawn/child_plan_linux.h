// SPDX-License-Identifier: Apache-2.0
//
// ChildPlan: all that a child needs from its birth to its command, laid out before.
//
// It owns every byte that the child reads, so that it serves also a child that shares its parent's
// memory: nothing of it is allocated, changed or freed until the child has become its command or
// has ended. It does not move.
#pragma once

#include <signal.h>

#include <string>
#include <vector>

#include "os/spawn/spawn.h"

namespace holdfast::os {

struct ChildPlan {
  // `request` is one that was checked. The streams, the gate and the report are set by the caller.
  explicit ChildPlan(const SpawnRequest& request);
  ChildPlan(const ChildPlan&) = delete;
  ChildPlan& operator=(const ChildPlan&) = delete;

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

}  // namespace holdfast::os
