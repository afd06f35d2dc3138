// SPDX-License-Identifier: Apache-2.0
//
// What the commands of the trash share, and what `holdfast help trash` says beside them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "gc/purge.h"
#include "session/record/store.h"

namespace holdfast::cli {

struct TrashSeen {
  const session::SessionStore* sessions = nullptr;  // null: there is no home, or none in it
  std::vector<gc::TrashEntry> entries{};
};
Result<TrashSeen> look_into_trash(const Context& context);

inline constexpr OptionSpec kTrashIdOption{
    .name = "id",
    .kind = OptionKind::kText,
    .value = "ID",
    .help = "of several of one name the one with this id; its beginning is enough"};

// The newest of this name (with this id). kNotFound `not-in-trash`.
Result<gc::TrashEntry> find_in_trash(const TrashSeen& seen, const std::string& name,
                                     const std::optional<std::string>& id);

}  // namespace holdfast::cli
