// SPDX-License-Identifier: Apache-2.0
//
// show_records: a visitor that prints each record as the user asked for: a JSON line, or a line of
// the table.
#pragma once

#include "cli/frame/context.h"
#include "journal/read/query.h"

namespace holdfast::cli {

// The context must outlive it, and must have begun a stream.
journal::QueryVisitor show_records(Context& context);

}  // namespace holdfast::cli
