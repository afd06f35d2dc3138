// SPDX-License-Identifier: Apache-2.0
//
// What every surface says of a replacement (replace.h): in JSON, and in the journal.
#pragma once

#include <string>

#include "base/error.h"
#include "base/event.h"
#include "file/replace/replace.h"
#include "format/json/json.h"

namespace holdfast::file {

// `changed committed durable old_sha256 new_sha256 bytes backup fenced fences`
Json replaced_fields(const Replaced& done);

// A path as events name it: absolute, if it can be made so.
std::string recorded_path(const std::string& path);
// `file.replaced`. `path` as typed.
Event replaced_event(const std::string& path, const Replaced& done);
// Whether an attempt that ended with `error` left the file as it was, and `file.refused` for one.
bool changed_nothing(const Error& error);
Event refused_event(const std::string& path, const Error& error);

}  // namespace holdfast::file
