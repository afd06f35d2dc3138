// SPDX-License-Identifier: Apache-2.0
//
// LoopHome: a loop's file, and what it needs of the home: its state, the sessions, the locks, the
// journal.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/session/run_home.h"
#include "format/loop/loop_file.h"
#include "loop/intent/intent.h"
#include "loop/item/item_command.h"
#include "loop/item/item_log.h"
#include "loop/item/loop_dir.h"
#include "runtime/home.h"

namespace holdfast::cli {

inline constexpr ArgumentSpec kLoopFileArgument{.name = "FILE",
                                                .help = "the loop's file (`holdfast help loop`)"};
inline constexpr OptionSpec kLoopMovedOption{
    .name = "moved",
    .help = "the file was moved or renamed: the state under its loop's name is its own"};

Result<LoopFile> read_loop_file(const std::string& path);

// kRefused `unsupported` where a loop cannot start anything (Windows). Every command of a loop says
// it before it reads or makes anything: else a loop could be paused that never works.
Result<> refuse_loop_where_not_offered(const std::string& path);

// The state of a loop that has worked before. kNotFound `no-such-loop` where it has not.
struct LoopState {
  LoopFile file;
  std::unique_ptr<loop::LoopDir> dir;
  std::unique_ptr<loop::ItemLog> log;
};
// Both refuse where loops are not offered.
Result<LoopState> find_loop(const Context& context, const std::string& path);
// The same, made where it is missing.
Result<LoopState> open_loop(const Context& context, const Clock& clock, const std::string& path,
                            bool moved);

// Not movable: the services are references.
class LoopHome {
 public:
  static Result<std::unique_ptr<LoopHome>> open(Context& context, const Clock& clock);

  [[nodiscard]] loop::LoopServices services() const;
  [[nodiscard]] DeferredEvents& events() { return own_->events(); }
  // Of the file's `profile`. The context and the file must outlive it.
  [[nodiscard]] static loop::ProfileOrder profile_order(Context& context, const LoopFile& file);

  LoopHome(const Clock& clock, LockChain chain, std::unique_ptr<RunHome> own,
           std::unique_ptr<RunHome> for_runs)
      : clock_(clock),
        chain_(std::move(chain)),
        own_(std::move(own)),
        for_runs_(std::move(for_runs)) {}

 private:
  const Clock& clock_;
  LockChain chain_;
  std::unique_ptr<RunHome> own_;
  std::unique_ptr<RunHome> for_runs_;
};

}  // namespace holdfast::cli
