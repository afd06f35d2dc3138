// SPDX-License-Identifier: Apache-2.0
//
// Why a child could not be made, from errno; for src/os/*/*_linux.cc only. Its EAGAIN is a limit that
// was reached and so kOsRefused, not "busy".
#pragma once

#include "base/error.h"

namespace holdfast::os {

Error cannot_start();

}  // namespace holdfast::os
