// SPDX-License-Identifier: Apache-2.0
//
// Processes that start together: each opens what it needs, and all begin to write at once.
#pragma once

#include <cstdint>
#include <functional>

namespace holdfast::bench {

// `work` opens what it needs, calls the function that it is given, and writes when that returns.
using Work = std::function<void(std::uint64_t writer, const std::function<void()>& ready)>;

// Seconds from the common start to the exit of the last of the processes; one that fails ends the
// program.
double run_together(std::uint64_t writers, const Work& work);

}  // namespace holdfast::bench
