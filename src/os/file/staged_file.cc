// SPDX-License-Identifier: Apache-2.0
#include "os/file/staged_file.h"

#include "base/id128.h"

namespace holdfast::os {
namespace {

constexpr std::string_view kStagePrefix = ".hf-stage-";

}  // namespace

bool is_stage_name(std::string_view name) {
  if (name == kDirLockName.text()) return true;
  return name.starts_with(kStagePrefix) &&
         parse_id128(name.substr(kStagePrefix.size())).has_value();
}

}  // namespace holdfast::os
