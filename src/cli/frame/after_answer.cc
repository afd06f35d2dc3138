// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/after_answer.h"

#include <utility>

namespace holdfast::cli {
namespace {

std::function<void()>& kept() {
  static std::function<void()> then;
  return then;
}

}  // namespace

void after_answer(std::function<void()> then) { kept() = std::move(then); }

void run_after_answer() {
  if (const auto then = std::exchange(kept(), {})) then();
}

}  // namespace holdfast::cli
