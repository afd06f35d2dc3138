// SPDX-License-Identifier: Apache-2.0
//
// A store of intents that only notes what it was asked.
#pragma once

#include <string>

#include "loop/intent/intent.h"

namespace holdfast::loop {

class KeptIntent final : public IntentStore {
 public:
  Result<> leave_driver() override {
    calls += "leave ";
    return {};
  }
  Result<> admit(const Id128& /*run*/) override {
    calls += "admit ";
    return {};
  }
  void reserved(const SessionRecord& /*record*/) override { calls += "reserved "; }
  void ended(const SessionRecord& /*record*/) override { calls += "ended "; }
  Result<bool> has_begun(const Id128& /*run*/) override { return begun; }

  std::string calls;
  bool begun = false;
};

}  // namespace holdfast::loop
