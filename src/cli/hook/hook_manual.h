// SPDX-License-Identifier: Apache-2.0
//
// `holdfast help hooks`.
#pragma once

#include <vector>

#include "cli/file/block.h"

namespace holdfast::cli {

std::vector<Block> hooks_topic();

}  // namespace holdfast::cli
