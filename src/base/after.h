// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

namespace holdfast {

// `wait` after `moment`, or the last moment there is: nobody lives to see the difference.
template <typename Moment>
constexpr Moment after(Moment moment, Duration wait) {
  return wait < Moment::max() - moment ? moment + wait : Moment::max();
}

}  // namespace holdfast
