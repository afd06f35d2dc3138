// SPDX-License-Identifier: Apache-2.0
#include "cli/helper_program.h"

#include "os/program.h"

namespace holdfast::cli {
namespace {

std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace

std::array<std::string, 2> helper_places(std::string_view program, std::string_view name) {
  const std::string_view dir = parent_of(program);
  return {std::string(parent_of(dir)) + "/libexec/holdfast/" + std::string(name),
          std::string(dir) + "/" + std::string(name)};
}

Result<std::string> find_helper_of(std::string_view program, std::string_view name) {
  const auto places = helper_places(program, name);
  for (const std::string& place : places) {
    if (HF_TRY(os::is_executable_file(place))) return place;
  }
  return fail({.code = ErrorCode::kNotFound,
               .op = "find the helper program",
               .subject = std::string(name),
               .cause = "no-helper",
               .detail = "it is neither at " + places[0] + " nor at " + places[1] +
                         "; is holdfast installed whole?"});
}

Result<std::string> find_helper(std::string_view name) {
  const std::string program = HF_TRY(os::own_program_path());
  return find_helper_of(program, name);
}

}  // namespace holdfast::cli
