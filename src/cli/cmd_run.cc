// SPDX-License-Identifier: Apache-2.0
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/run_manual.h"
#include "cli/run_options.h"
#include "cli/run_perform.h"
#include "os/inherited.h"

namespace holdfast::cli {
namespace {

Result<int> run(Context& context, const Args& args) {
  os::Handle status;
  if (const auto fd = args.integer("status-fd")) status = HF_TRY(os::adopt_for_writing(*fd));
  const run::RunOrder order = HF_TRY(run_order(context, args));
  return perform_run(context, order, std::move(status));
}

}  // namespace

constinit const CommandSpec kRunCommand{
    .name = "run",
    .summary = "run a command to the end of its process tree, with a deadline",
    .description = kRunDescription,
    .options = kRunOptions,
    .trailing = Trailing::kCommand,
    .examples = kRunExamples,
    .exits = kRunExits,
    .json_fields = kRunFields,
    .run = run,
};

}  // namespace holdfast::cli
