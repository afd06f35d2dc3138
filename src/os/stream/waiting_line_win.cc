// SPDX-License-Identifier: Apache-2.0
//
// No line: a wait on Windows goes on without one.
#include "os/stream/waiting_line.h"

namespace holdfast::os {

struct WaitingLine::State {};

std::unique_ptr<WaitingLine> WaitingLine::show(std::string /*text*/) { return nullptr; }
WaitingLine::WaitingLine(std::unique_ptr<State> state) : state_(std::move(state)) {}
WaitingLine::~WaitingLine() = default;
void WaitingLine::clear() {}

}  // namespace holdfast::os
