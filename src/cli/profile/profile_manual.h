// SPDX-License-Identifier: Apache-2.0
//
// The manual of profiles: what `holdfast help profile` says beside its commands.
#pragma once

#include <vector>

#include "cli/file/block.h"

namespace holdfast::cli {

std::vector<Block> profile_manual();

}  // namespace holdfast::cli
