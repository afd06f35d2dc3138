// SPDX-License-Identifier: Apache-2.0
//
// What the `ledger` commands share: which ledger, which of its fields holds the time, and the page
// of the group.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/file/file_options.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "file/ledger/ledger.h"
#include "format/file/ledger_query.h"

namespace holdfast::cli {

inline constexpr std::array kLedgerArguments{
    ArgumentSpec{.name = "PATH", .help = "the ledger: a JSON array, or JSON lines"}};

inline constexpr OptionSpec kTimeFieldOption{
    .name = "time-field",
    .kind = OptionKind::kText,
    .value = "FIELD",
    .help = "the field of an entry that holds its time (default `time`)"};

// Of the commands that only look.
inline constexpr std::array kLedgerReadOptions{
    OptionSpec{.name = "links",
               .kind = OptionKind::kChoice,
               .value = "refuse|follow",
               .help = "what to do about symbolic links in the path: `refuse` (default), or "
                       "`follow` them"},
    OptionSpec{.name = "foreign-owner", .help = "believe a ledger that belongs to another user"},
    kTrustDirOption,
};

// From kLedgerReadOptions and PATH: the bytes. Errors: those of file::load_ledger.
Result<std::string> load_ledger_of(const Args& args);

// The field, as a path. Errors: kUsage.
Result<std::vector<std::string>> time_path_of(const Args& args);

// Of `append`: all but the entry. Errors: kUsage.
Result<file::LedgerAppend> append_options_of(Context& context, const Args& args);
// Of `last`, asked now. Errors: kUsage.
Result<LedgerQuestion> ledger_question_of(const Args& args);

// The one JSON object of --data (JSON, @FILE or -), else of stdin. Errors: kUsage where stdin is a
// terminal; those of reading.
Result<std::string> entry_text_of(const Args& args);

}  // namespace holdfast::cli
