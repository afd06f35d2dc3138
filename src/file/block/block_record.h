// SPDX-License-Identifier: Apache-2.0
//
// What the journal says of a change of a managed block (block_edit.h).
#pragma once

#include <optional>

#include "base/error.h"
#include "base/event.h"
#include "file/block/block_edit.h"

namespace holdfast::file {

// `block.changed`.
Event block_changed_event(const BlockFile& block, const BlockEdited& done);
// `block.refused`; nothing where the call was wrong or there was no such block.
std::optional<Event> block_refused_event(const BlockFile& block, const Error& error,
                                         const BlockReport& report);

}  // namespace holdfast::file
