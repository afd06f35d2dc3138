// SPDX-License-Identifier: Apache-2.0
//
// The manual of managed blocks: what `holdfast help block` says beside its commands.
#pragma once

#include <vector>

#include "cli/file/block.h"

namespace holdfast::cli {

std::vector<Block> managed_block_manual();

}  // namespace holdfast::cli
