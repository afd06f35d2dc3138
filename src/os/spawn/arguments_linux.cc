// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/arguments.h"

namespace holdfast::os {

std::vector<std::string> program_arguments(int argc, char** argv) { return {argv, argv + argc}; }

}  // namespace holdfast::os
