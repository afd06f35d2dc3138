// SPDX-License-Identifier: Apache-2.0
//
// What a command does once its whole answer is written, right before the program ends; for what
// must know that somebody was told. Not called where the answer could not be written.
#pragma once

#include <functional>

namespace holdfast::cli {

// One per program: the last one counts. Dropped, with all that it holds, where the answer could not
// be written.
void after_answer(std::function<void()> then);
// For the frame.
void run_after_answer();

}  // namespace holdfast::cli
