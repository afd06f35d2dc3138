// SPDX-License-Identifier: Apache-2.0
//
// IntentNote: the guard of an intent (intent.h) in words, for a supervisor that is another start of
// the program and has nothing of the driver's memory (Windows, a detached run). It has all that the
// guard needs: which run, which lock with which token, and where the intent is kept.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "loop/intent/intent.h"

namespace holdfast::loop {

struct IntentNote {
  Id128 run{};
  std::string lock{};   // the driver's
  Id128 token{};        // that the driver has it with
  std::string store{};  // IntentStore::note()
  bool operator==(const IntentNote&) const = default;
};

// One line without its end.
std::string encode_intent_note(const IntentNote& note);
// kCannotTell `bad-intent-note`.
Result<IntentNote> decode_intent_note(std::string_view bytes);

// The store of an IntentStore::note().
using StoreOf = std::function<Result<std::shared_ptr<IntentStore>>(std::string_view note)>;

// The guard that IntentGuard::note() was asked of. `clock` and `locks` outlive it.
Result<std::unique_ptr<run::RunGuard>> intent_guard_of(std::string_view note, const Clock& clock,
                                                       lock::LocalBackend& locks,
                                                       const StoreOf& store_of);

// The error of a note that cannot be understood, also of a store's.
std::unexpected<Error> bad_intent_note();

}  // namespace holdfast::loop
