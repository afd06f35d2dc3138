// SPDX-License-Identifier: Apache-2.0
#include "os/process/fork_shut.h"

namespace holdfast::os {

ForkShut::~ForkShut() = default;

Result<> ForkShut::watch(std::span<const NativeHandle> /*handles*/) { return {}; }

}  // namespace holdfast::os
