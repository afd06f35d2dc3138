// SPDX-License-Identifier: Apache-2.0
//
// What the page of `holdfast session` says behind the list of its commands.
#pragma once

#include <vector>

#include "cli/file/block.h"

namespace holdfast::cli {

std::vector<Block> harness_manual();

}  // namespace holdfast::cli
