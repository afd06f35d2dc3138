// SPDX-License-Identifier: Apache-2.0
//
// `layers --verify`: does what the environment says of a list (layers_stamp.h) still hold?
//
// Errors: kNotFound `not-intact` is the no; kCannotTell where the environment does not say.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/file/layers_text.h"
#include "cli/frame/context.h"
#include "file/replace/target.h"

namespace holdfast::cli {

// Does the list stand in `words`, whole and in order?
Result<int> verify_words(Context& context, const std::vector<std::string>& words);

// Does the plan, assembled again, give the same list?
Result<int> verify_plan(Context& context, const std::string& plan, LayerFormat format,
                        file::TrustDir trust);

}  // namespace holdfast::cli
