// SPDX-License-Identifier: Apache-2.0
//
// Lock files of other tools, judged: is it free, held, or nobody can tell?
//
// A lock that is held by flock is held, by the kernel's word. Where the kernel names nobody it is
// tried once and given back at once: for that instant another who tries it finds it held, as behind
// any other short holder. Nothing is ever written into the file.
//
// What is written in it is judged as lock/foreign.h does: a number that nobody has, or somebody who
// started after the file was written, is dead. A number that is in use is `unknown`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/import_record.h"
#include "os/dir.h"
#include "os/file.h"

namespace holdfast::cli {

enum class LockFileKind : std::uint8_t {
  kSidecar,   // `.NAME.lock`, flocked and empty
  kPipeline,  // `NAME.lock`, with a number in it
};

// Those in the directory, sorted by name. It must be no link itself. Errors: it cannot be read.
Result<std::vector<ImportRecord>> judge_lock_files(const std::string& directory, LockFileKind kind,
                                                   const Clock& clock);

// Fills in who is named in the open file, and what follows from it; `bytes` is its content.
Result<> judge_named_process(ImportRecord& record, const os::File& file, std::string_view bytes,
                             const Clock& clock);

}  // namespace holdfast::cli
