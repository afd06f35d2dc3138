// SPDX-License-Identifier: Apache-2.0
#include "cli/file/layers_verify.h"

#include "cli/file/layers_assembly.h"
#include "cli/file/layers_stamp.h"

namespace holdfast::cli {
namespace {

Result<int> layers_verify_answer(Context& context, const LayersStamp& stamp, bool intact,
                                 std::string_view why) {
  context.emit(stamp_fields(stamp));
  if (intact) return to_int(ExitCode::kDone);
  return fail({.code = ErrorCode::kNotFound,
               .op = "find the list of layers",
               .subject = "that was assembled",
               .cause = "not-intact",
               .detail = std::string(why)});
}

}  // namespace

Result<int> verify_words(Context& context, const std::vector<std::string>& words) {
  const LayersStamp stamp = HF_TRY(stamp_of_environment());
  return layers_verify_answer(
      context, stamp, holds_stamped(words, stamp),
      "its " + std::to_string(stamp.count) +
          " words do not stand among these arguments: some were dropped, moved or "
          "changed");
}

Result<int> verify_plan(Context& context, const std::string& plan, LayerFormat format,
                        file::TrustDir trust) {
  const LayersStamp stamp = HF_TRY(stamp_of_environment());
  const auto list = HF_TRY(assemble_plan(context, plan, format, Assembled::kLookedAt, trust));
  return layers_verify_answer(context, stamp, same_list(stamp_of(list), stamp),
                              "the plan gives another list now than then");
}

}  // namespace holdfast::cli
