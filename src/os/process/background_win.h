// SPDX-License-Identifier: Apache-2.0
//
// For src/os/*/*_win.cc only.
#pragma once

namespace holdfast::os {

// enter_background was called: this process has a console that nobody sees, or none.
bool is_in_background();

}  // namespace holdfast::os
