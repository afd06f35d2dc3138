// SPDX-License-Identifier: Apache-2.0
#include "cli/loop/loop_state.h"

#include "base/cause.h"
#include "base/path_text.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/user_file.h"
#include "cli/profile/profile_run.h"
#include "format/text/toml.h"
#include "os/spawn/env.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Error never_worked(const LoopFile& file) {
  return {
      .code = ErrorCode::kNotFound,
      .op = "find",
      .subject = "the loop '" + file.name + "'",
      .cause = cause::kNoSuchLoop,
      .detail = "it has never worked in this home; `holdfast loop " + file.path + "` begins it"};
}

Result<LoopState> state_of(LoopFile file, loop::LoopDir dir) {
  LoopState state{.file = std::move(file),
                  .dir = std::make_unique<loop::LoopDir>(std::move(dir)),
                  .log = nullptr};
  auto log = loop::ItemLog::open(state.dir->dir());
  if (!log) return fail(log.error());
  state.log = std::make_unique<loop::ItemLog>(*std::move(log));
  return state;
}

}  // namespace

Result<LoopFile> read_loop_file(const std::string& path, file::TrustDir trust) {
  const std::string text = HF_TRY(read_config_file(path, kMaxTomlBytes, trust));
  const std::string directory = HF_TRY(directory_of_file(path));
  const std::string name = std::string(last_component(path));
  return parse_loop_file(
      text, path,
      {.path = join_path(directory, name),
       .variables = [](const std::string& variable) { return os::env(variable.c_str()); }});
}

Result<LoopState> find_loop(const Context& context, const std::string& path, file::TrustDir trust) {
  LoopFile file = HF_TRY(read_loop_file(path, trust));
  const auto loops = HF_TRY(context.runtime().find_loops());
  if (!loops) return fail(never_worked(file));
  auto dir = HF_TRY(loop::LoopDir::find(*loops, file.name, file.path));
  if (!dir) return fail(never_worked(file));
  return state_of(std::move(file), *std::move(dir));
}

Result<LoopState> open_loop(const Context& context, const std::string& path, bool moved,
                            file::TrustDir trust) {
  LoopFile file = HF_TRY(read_loop_file(path, trust));
  const os::Dir loops = HF_TRY(context.runtime().loops());
  auto dir = loop::LoopDir::open(loops, file.name, file.path, moved);
  if (!dir) return fail(dir.error());
  return state_of(std::move(file), *std::move(dir));
}

loop::ProfileOrder profile_order(Context& context, const LoopFile& file, file::TrustDir trust) {
  return [&context, &file, trust](const std::string& /*item*/) -> Result<run::RunOrder> {
    ArgsBuilder args(kRunCommand);
    args.option("profile", *file.profile);
    if (trust == file::TrustDir::kAny) args.option("trust-dir");
    if (file.session_profile) args.argument(*file.session_profile);
    auto ready = prepare_profile_run(context, args.build());
    if (!ready) return fail(ready.error());
    if (ready->refusal) return fail(ready->refusal->error);
    return std::move(ready->order);
  };
}

}  // namespace holdfast::cli
