// SPDX-License-Identifier: Apache-2.0
//
// export_sqlite: what `holdfast journal query --json`-lines say, as an SQLite database.
//
//   {"seq":1,"time":"…","type":"…","class":"…","writer":"…","boot":"…","data":{…}}   one on each
//   line
//
//   events(seq INTEGER PRIMARY KEY, time TEXT, type TEXT, class TEXT, writer TEXT, boot TEXT, data
//   TEXT) with an index on type and one on time
//
// Guarantee: FILE is new, whole and durable, or not there at all: it is built under another name
// beside it
// (`.hf-stage-<id>`, mode 0600), synced, and then gets its name, which never replaces anything.
// Memory is flat. Death in the middle leaves the file with the other name.
//
// Errors: kCorrupt (`bad-line`) for a line that is not as above, or a number that comes twice;
// kRefused
// (`exists`) where FILE is there already; kIo where the disk or SQLite fails; those of the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/result.h"

namespace holdfast::helper {

// Some bytes into the buffer, as many as there are; 0 is the end.
using ByteSource = std::function<Result<std::size_t>(std::span<char> buffer)>;

// Longer than any event with its data (16 MiB).
inline constexpr std::size_t kMaxLineBytes = std::size_t{32} << 20;

// Returns the number of events.
Result<std::uint64_t> export_sqlite(const ByteSource& lines, const std::string& file);

}  // namespace holdfast::helper
