// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/args.h"
#include "cli/command_line.h"
#include "cli/context.h"
#include "helper/commands.h"
#include "helper/sqlite_export.h"
#include "os/stdio.h"

namespace holdfast::helper {
namespace {

Result<int> run(cli::Context& context, const cli::Args& args) {
  const std::optional<std::string> output = args.text("output");
  if (!output) {
    return fail(
        cli::usage_error("missing-option", "run", "export-sqlite", "--output FILE is missing"));
  }
  const std::uint64_t events = HF_TRY(export_sqlite(os::read_stdin_some, *output));
  context.emit({{"output", *output}, {"events", events}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kOptions{
    cli::OptionSpec{.name = "output",
                    .letter = 'o',
                    .kind = cli::OptionKind::kPath,
                    .value = "FILE",
                    .help = "the database to make; nothing may be there yet"},
};

constexpr std::array kExits{
    cli::ExitNote{ExitCode::kDone, "the database is there, with all events"},
    cli::ExitNote{ExitCode::kCorrupt, "a line is not an event; nothing was made"},
    cli::ExitNote{ExitCode::kRefused, "FILE is there already"},
};

constexpr std::array kExportSqliteFields{
    cli::JsonField{"output", "the database"},
    cli::JsonField{"events", "how many events are in it"},
};

}  // namespace

constinit const cli::CommandSpec kExportSqliteCommand{
    .name = "export-sqlite",
    .summary = "make an SQLite database of the events on stdin",
    .description =
        "Reads lines as `holdfast journal export --format jsonl` writes them. FILE appears "
        "when it is whole, and replaces nothing.",
    .options = kOptions,
    .exits = kExits,
    .json_fields = kExportSqliteFields,
    .run = run,
};

}  // namespace holdfast::helper
