// SPDX-License-Identifier: Apache-2.0
//
// holdfast-docgen KIND DIR: writes what is generated from the command table into the existing
// directory DIR. KIND is markdown, man or completions. A tool of the build; it is not shipped.
#include <algorithm>

#include "base/cause.h"
#include "cli/frame/commands.h"
#include "cli/frame/console.h"
#include "cli/help/doc_files.h"
#include "os/dir/dir.h"

namespace holdfast::cli {
namespace {

Result<> write_file(const os::Dir& dir, const DocFile& file) {
  const os::SafeName name = HF_TRY(os::SafeName::make(file.name));
  HF_TRY(dir.remove_file(name));
  auto made = HF_TRY(dir.create_file(name, 0644));
  if (!made) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "write",
                 .subject = dir.path_of(name),
                 .cause = cause::kNameTaken,
                 .detail = "somebody else made it meanwhile"});
  }
  HF_TRY(made->write_all(file.text));
  return made->close();
}

// Pages of commands that are gone would stay for ever.
Result<> remove_other_pages(const os::Dir& dir, const std::vector<DocFile>& files) {
  std::vector<std::string> old;
  HF_TRY(dir.each_entry([&](std::string_view name, os::FileType) {
    const bool kept = std::ranges::any_of(files, [&](const DocFile& f) { return f.name == name; });
    if (name.ends_with(".md") && !kept) old.emplace_back(name);
    return os::Visit::kContinue;
  }));
  for (const std::string& name : old) {
    const os::SafeName safe = HF_TRY(os::SafeName::make(name));
    HF_TRY(dir.remove_file(safe));
  }
  return {};
}

Result<> generate(std::string_view kind, const std::string& path) {
  std::vector<DocFile> files;
  if (kind == "markdown") files = markdown_files(commands());
  if (kind == "man") files = man_files(commands());
  if (kind == "completions") files = completion_files(commands());
  if (files.empty()) {
    return fail({.code = ErrorCode::kUsage,
                 .op = "generate",
                 .subject = std::string(kind),
                 .cause = "bad-value",
                 .detail = "it is none of markdown, man, completions"});
  }
  const os::Dir dir = HF_TRY(os::Dir::open(path));
  for (const DocFile& file : files) HF_TRY(write_file(dir, file));
  if (kind == "markdown") return remove_other_pages(dir, files);
  return {};
}

}  // namespace
}  // namespace holdfast::cli

// NOLINTNEXTLINE(bugprone-exception-escape): a build tool that ends loudly is enough
int main(int argc, char** argv) {
  using namespace holdfast;
  cli::ProcessConsole console;
  if (argc != 3) {
    cli::write_diagnostic(console, "usage: holdfast-docgen markdown|man|completions DIR");
    return to_int(ExitCode::kUsage);
  }
  const auto done = cli::generate(argv[1], argv[2]);
  if (done) return to_int(ExitCode::kDone);
  cli::render_error(console, done.error());
  return to_int(info(done.error().code).exit);
}
