// SPDX-License-Identifier: Apache-2.0
//
// The one document that --json prints: `ok` and `code` first, then `error` where something failed,
// then the command's own fields, in the order given, one line with a newline.
//
// Guarantee: it is always valid JSON in UTF-8; bytes that are not UTF-8 become U+FFFD, never a
// fault.
#pragma once

#include <string>

#include "base/error.h"
#include "cli/frame/context.h"

namespace holdfast::cli {

// `fields` is an object; its own `ok`, `code` and `error` are overruled.
std::string json_document(int code, const Json& fields, const Error* error);

}  // namespace holdfast::cli
