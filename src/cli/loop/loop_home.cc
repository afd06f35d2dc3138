// SPDX-License-Identifier: Apache-2.0
#include "cli/loop/loop_home.h"

#include "base/path_text.h"
#include "cli/frame/args_builder.h"
#include "cli/frame/commands.h"
#include "cli/frame/user_file.h"
#include "cli/profile/profile_run.h"
#include "format/text/toml.h"
#include "os/spawn/env.h"

namespace holdfast::cli {
namespace {

Error never_worked(const LoopFile& file) {
  return {
      .code = ErrorCode::kNotFound,
      .op = "find",
      .subject = "the loop '" + file.name + "'",
      .cause = "no-such-loop",
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
  const HomeLocation location = HF_TRY(locate_home(context.home_option(), os::env));
  const auto home = Home::open(location);
  if (!home && home.error().cause == "no-home-yet") return fail(never_worked(file));
  if (!home) return fail(home.error());
  const auto loops = HF_TRY(home->find_part(HomePart::kLoops));
  if (!loops) return fail(never_worked(file));
  auto dir = HF_TRY(loop::LoopDir::find(*loops, file.name, file.path));
  if (!dir) return fail(never_worked(file));
  return state_of(std::move(file), *std::move(dir));
}

Result<LoopState> open_loop(const Context& context, const Clock& clock, const std::string& path,
                            bool moved, file::TrustDir trust) {
  LoopFile file = HF_TRY(read_loop_file(path, trust));
  const HomeLocation location = HF_TRY(locate_home(context.home_option(), os::env));
  const Home home = HF_TRY(Home::open_or_create(location, clock));
  const os::Dir loops = HF_TRY(home.open_part(HomePart::kLoops));
  auto dir = loop::LoopDir::open(loops, file.name, file.path, moved);
  if (!dir) return fail(dir.error());
  return state_of(std::move(file), *std::move(dir));
}

Result<std::unique_ptr<LoopHome>> LoopHome::open(Context& context, const Clock& clock) {
  LockChain chain = HF_TRY(chain_of_environment());
  auto own = HF_TRY(RunHome::open(context, clock));
  auto for_runs = HF_TRY(RunHome::open(context, clock));
  return std::make_unique<LoopHome>(clock, std::move(chain), std::move(own), std::move(for_runs));
}

loop::LoopServices LoopHome::services() const {
  return {.clock = clock_,
          .sessions = own_->sessions(),
          .events = own_->events(),
          .locks = own_->locks(),
          .run_events = for_runs_->events(),
          .run_locks = for_runs_->locks(),
          .let_go = [this] { own_->events().forget(); },
          .chain = chain_};
}

loop::ProfileOrder LoopHome::profile_order(Context& context, const LoopFile& file,
                                           file::TrustDir trust) {
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
