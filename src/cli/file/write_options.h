// SPDX-License-Identifier: Apache-2.0
//
// The options that `write` and `update` share beside those of every edit (file_options.h).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/file/content_source.h"
#include "cli/file/file_options.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "file/replace/replace.h"

namespace holdfast::cli {

inline constexpr std::array kWriteOptions{
    OptionSpec{.name = "mode",
               .letter = 'm',
               .kind = OptionKind::kText,
               .value = "M",
               .help =
                   "the mode of the file, octal, whatever the umask (default: the old file's, or "
                   "by umask for a new one)"},
    OptionSpec{.name = "meta",
               .kind = OptionKind::kChoice,
               .value = "keep|pin",
               .help =
                   "`keep` (default) owner, access list and attributes of the old file, or refuse; "
                   "`pin` them to --mode and --owner and nothing else"},
    OptionSpec{.name = "owner",
               .kind = OptionKind::kText,
               .value = "UID:GID",
               .help = "the owner of the file: two numbers, or a name from the passwd file"},
    OptionSpec{.name = "check",
               .kind = OptionKind::kText,
               .value = "KIND|CMD",
               .help =
                   "use the new content only if it is valid `json`, `jsonl`, `toml` or `utf8`, or "
                   "if the command line CMD, which gets the staged file as \"$1\" and on stdin, "
                   "exits with 0",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "min-bytes",
               .kind = OptionKind::kSize,
               .value = "SIZE",
               .help = "refuse content that is smaller"},
    OptionSpec{.name = "max-shrink",
               .kind = OptionKind::kText,
               .value = "N%|SIZE",
               .help = "refuse content that is smaller than the old by more than this"},
    OptionSpec{.name = "allow-empty", .help = "accept empty content"},
    OptionSpec{.name = "timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long the command, and each --check CMD, may take"},
    OptionSpec{.name = "grace",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "the time between TERM and KILL when one of them is ended (default 10s)"},
    OptionSpec{.name = "pipe",
               .help = "the command after `--` is several, with `'|'` as a word of its own between "
                       "them; each one must succeed"},
    OptionSpec{.name = "stamp",
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "on success, also where nothing had to change, write what was done and when "
                       "to FILE"},
};

// From kWriteOptions and kEditOptions; `limits` are those of the commands of --check. Errors:
// kUsage.
Result<file::ReplaceOptions> write_options(const Args& args, const Limits& limits);

// The command after `--`, cut into stages where --pipe asks for it. Errors: kUsage.
Result<std::vector<std::vector<std::string>>> stages_of(const Args& args);

// --timeout and --grace, for commands that run in `directory`, or where the caller is.
Limits limits_of(const Args& args, const std::optional<std::string>& directory = {});

// How both commands end: document, record, stamp, exit code: 128+n if a signal asked a command of
// `limits` to end. `fields` is what they add to the document.
Result<int> answer_write(Context& context, const Args& args, const Result<file::Replaced>& done,
                         const Limits& limits, Json fields);

inline constexpr std::array kUpdateBrief{
    HelpGroup{.title = "Content", .options = "check|create|if-hash|allow-empty"},
    HelpGroup{.title = "The file", .options = "mode|backup|links|durability"},
    HelpGroup{.title = "Time", .options = "wait|timeout"},
};

}  // namespace holdfast::cli
