// SPDX-License-Identifier: Apache-2.0
//
// How damage of a journal is said. Nothing is hidden: what nobody has accounted for is told also
// under -q, with its place, and makes the code 65; what the journal itself explains is a note.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/context.h"
#include "journal/read/damage.h"

namespace holdfast::cli {

// `seg-0000000000000001.jsonl:1234: checksum, 87 bytes: …`
std::string damage_line(const journal::Damage& damage);

// `segment`, `file`, `offset`, `bytes`, `kind`, `says`, `explained`, `lost`.
Json damage_json(const journal::Damage& damage);
Json damage_json(std::span<const journal::Damage> damaged);

inline constexpr std::string_view kDamagedSays =
    "places that are not what a writer wrote, each with `segment` (the number in its name), "
    "`file` (empty for a line in a file of anchors), "
    "`offset`, `bytes`, `kind`, `says`, `explained` (the journal accounts for it) and `lost` "
    "(`first` and `last` of missing numbers, or null)";

// On stderr; where something is unexplained also as the command's failure (Context::report).
// Returns the exit status: 65 then, else 0.
int tell_damage(Context& context, std::span<const journal::Damage> damaged);

// Planned absence, segments that retention dropped, is no news where the question does not reach
// back so far. Leaves it out of what is to be told; `oldest_us` is the time of the oldest record
// left.
std::vector<journal::Damage> worth_telling(std::span<const journal::Damage> damaged,
                                           std::optional<std::int64_t> since_us,
                                           std::optional<std::int64_t> oldest_us);

// The places alone, on stderr; returns how many are unexplained.
std::uint64_t tell_places(Context& context, std::span<const journal::Damage> damaged);

// A note on bytes behind the last record; nothing where there are none.
void tell_unfinished(Context& context, std::uint64_t bytes);

}  // namespace holdfast::cli
