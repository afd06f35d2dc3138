// SPDX-License-Identifier: Apache-2.0
#include "cli/helper_program.h"
#include "cli/shell_scripts.h"
#include "os/program.h"

namespace holdfast::cli {
namespace {

// The line reaches the command on its standard input; the status is the command's.
constexpr std::string_view kFeed = "printf '%s' \"$1\" | /bin/sh -c \"$2\"";

// The reader's status decides where it fails, else the writer's: a journal that could not be read
// whole is never a success.
constexpr std::string_view kPipe =
    "helper=$1 output=$2; shift 2; code=$({ { \"$@\"; echo $? >&3; } | "
    "\"$helper\" export-sqlite --output \"$output\" >&2; } 3>&1) || exit; exit \"$code\"";

}  // namespace

Result<std::vector<std::string>> feed_words(std::string_view text, const std::string& line) {
  return std::vector<std::string>{"/bin/sh",         "-c", std::string(kFeed), "sh",
                                  std::string(text), line};
}

Result<std::vector<std::string>> export_words(const std::string& output) {
  std::string helper = HF_TRY(find_helper("holdfast-journal"));
  std::string self = HF_TRY(os::own_program_path());
  return std::vector<std::string>{"/bin/sh",         "-c",   std::string(kPipe), "sh",
                                  std::move(helper), output, std::move(self)};
}

}  // namespace holdfast::cli
