// SPDX-License-Identifier: Apache-2.0
//
// Between the identity that src/proc judges and the one that records keep, by their short names.
#pragma once

#include "proc/identity/identity.h"

namespace holdfast::lock {

using proc::from_record;
using proc::to_record;

}  // namespace holdfast::lock
