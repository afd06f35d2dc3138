// SPDX-License-Identifier: Apache-2.0
//
// What execve wants, laid out before: words and variables as lists of pointers that end with a null
// pointer. They point into their arguments and into the environment; neither may change meanwhile.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace holdfast::os {

// Each must be NAME=VALUE without a NUL byte. kRefused: `unsafe-name`, `bad-environment`.
Result<> check_environment(const std::vector<std::string>& added);

// The caller's variables that neither `added` nor `removed` (names alone) has, then `added`; of two
// in it, the last.
std::vector<char*> environment_with(const std::vector<std::string>& added,
                                    const std::vector<std::string>& removed = {});

std::vector<char*> exec_words(const std::vector<std::string>& argv);

}  // namespace holdfast::os
