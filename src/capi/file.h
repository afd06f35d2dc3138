// SPDX-License-Identifier: Apache-2.0
//
// What the calls that change files share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/event.h"
#include "base/result.h"
#include "capi/handles.h"
#include "file/replace/replace.h"
#include "format/json/json.h"
#include "run/lock/file_locks.h"
#include "runtime/runtime.h"

namespace holdfast::capi {

// One change of a file, as it was asked for.
struct Change {
  std::string path;
  std::uint32_t flags = 0;
  std::unique_ptr<runtime::Runtime> runtime;
  run::FileLocks::Request locks{};
  file::ReplaceOptions options{};
};
// `what` is shown to those who wait for the file's lock. Errors: kUsage; of the fence.
Result<Change> change_of(State& state, const char* path, const holdfast_file_options* given,
                         std::string_view what);
// The file's own lock is taken, if there is one. Not for who takes it himself.
void use_its_lock(Change& change);

// Records what came of it and fills the document; `fields` are what the call adds to it.
Result<int> tell_replaced(State& state, const std::string& path, const Result<file::Replaced>& done,
                          Json fields, char** json);
// An event that nothing depends on.
void record(State& state, const Event& event);

}  // namespace holdfast::capi
