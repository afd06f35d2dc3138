// SPDX-License-Identifier: Apache-2.0
//
// The manual of the journal: what `holdfast help journal` says beside its commands, and the topic
// `events`, made from the registry (format/journal/event_type.h), so that it cannot disagree with the
// program.
#pragma once

#include <vector>

#include "cli/file/block.h"

namespace holdfast::cli {

std::vector<Block> journal_manual();
std::vector<Block> events_topic();

}  // namespace holdfast::cli
