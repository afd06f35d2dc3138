// SPDX-License-Identifier: Apache-2.0
//
// Names of locks, sessions and keys as file names, reversibly.
//
// Letters, digits, '.', '_' and '-' stay; every other byte, '%' itself and a leading '.' become %XX
// (upper-case hexadecimal). Nothing is ever stripped or folded, so two different names never share
// a file, and no name can leave its directory, hide itself or look like one of holdfast's temporary
// files.
//
// Limits: 1 to 128 bytes raw, at most 200 bytes escaped (so that suffixes fit into 255); else
// kUsage.
//
// On file systems that do not tell "A" from "a" (NameRules::kCaseless, Windows) capitals are
// escaped too, as are the last letter of a reserved device name (`con` → `co%6E`) and a trailing
// dot.
//
// unescape_name accepts exactly what escape_name writes: an escape that need not be, lower-case
// digits or a byte that should have been escaped is kCorrupt. So name → file is a bijection, and a
// stray file in the directory is noticed instead of being taken for a lock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast {

enum class NameRules : std::uint8_t { kCased, kCaseless };

inline constexpr std::size_t kMaxRawName = 128;
inline constexpr std::size_t kMaxEscapedName = 200;

// Those of the file systems of this platform.
NameRules platform_name_rules();

Result<std::string> escape_name(std::string_view raw, NameRules rules);
Result<std::string> unescape_name(std::string_view escaped, NameRules rules);

// The NAME of a lock that begins with `/`, `./` or `../` is the path of a file that is locked
// itself (lock/ledger/place.h); `.` and `..` alone are such paths, too.
bool is_lock_path(std::string_view name);

// The same escape for an absolute path, which becomes one file name with a suffix of at most 5
// bytes: at most 250 bytes escaped, else kUsage `name-too-long`.
inline constexpr std::size_t kMaxEscapedPath = 250;
Result<std::string> escape_lock_path(std::string_view path, NameRules rules);
// As unescape_name, also of what escape_lock_path writes.
Result<std::string> unescape_lock(std::string_view escaped, NameRules rules);

}  // namespace holdfast
