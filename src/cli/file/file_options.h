// SPDX-License-Identifier: Apache-2.0
//
// The options that ask the same in every command that changes a file (write, update, block,
// ledger), what they mean, and how such a command tells what it did.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "base/event.h"
#include "base/result.h"
#include "cli/file/file_lock.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "file/replace/replace.h"
#include "file/replace/replaced_record.h"
#include "format/json/json.h"

namespace holdfast::cli {

inline constexpr OptionSpec kDurabilityOption{
    .name = "durability",
    .kind = OptionKind::kChoice,
    .value = "none|data|full",
    .help =
        "what a power cut may undo: `none` promises nothing, `data` the whole old or the whole "
        "new file, `full` (default) the new one"};
inline constexpr OptionSpec kLinksOption{
    .name = "links",
    .kind = OptionKind::kChoice,
    .value = "refuse|follow|replace",
    .help =
        "what to do about symbolic links in the path: `refuse` (default), `follow` them to the "
        "real file, or `replace` a link by a file"};
inline constexpr OptionSpec kBackupOption{
    .name = "backup",
    .kind = OptionKind::kInteger,
    .value = "N",
    .help = "keep the last N old versions beside it as `NAME.bak-TIME`"};
inline constexpr OptionSpec kIfHashOption{
    .name = "if-hash",
    .kind = OptionKind::kText,
    .value = "HASH",
    .help = "only if the file has this SHA-256 (hex) now; `absent`: only if there is no file"};
inline constexpr OptionSpec kWaitOption{.name = "wait",
                                        .letter = 'w',
                                        .kind = OptionKind::kDuration,
                                        .value = "D",
                                        .help =
                                            "how long to wait for whoever holds the file's lock or "
                                            "changes files in the same directory (default 10s)"};
inline constexpr OptionSpec kBreakHardlinksOption{
    .name = "break-hardlinks",
    .help = "replace a file that has other names too; they keep the old content"};
inline constexpr OptionSpec kForeignOwnerOption{
    .name = "foreign-owner",
    .help =
        "replace a file that belongs to another user, who keeps it (needs the right to give "
        "files away)"};
inline constexpr OptionSpec kTrustDirOption{
    .name = "trust-dir",
    .help = "use a directory that another user owns or may write to (otherwise refused with 77)"};
// Of what says what is run.
inline constexpr OptionSpec kTrustConfigOption{
    .name = "trust-dir",
    .help = "believe FILE although another user may change it (otherwise refused with 77)"};
file::TrustDir trust_of(const Args& args);
inline constexpr OptionSpec kInPlaceOption{
    .name = "in-place",
    .help =
        "write into the file itself, with an undo copy beside it, for single-file bind mounts; "
        "readers may see a mixture meanwhile"};

// A command that edits declares exactly these, beside its own.
inline constexpr std::array kEditOptions{
    kDurabilityOption,     kLinksOption,        kBackupOption,   kIfHashOption,  kWaitOption,
    kBreakHardlinksOption, kForeignOwnerOption, kTrustDirOption, kInPlaceOption, kFenceTokenOption,
};
// From kEditOptions; the gate is that of the first argument (file_lock.h). Errors: kUsage, and
// those of the gate.
Result<file::ReplaceOptions> edit_options(const Args& args);
// The first argument, found as the options say.
Result<file::Target> target_of(const Args& args, const file::ReplaceOptions& options);
// As edit_options, with the lock of the file (file_lock.h); `command` is shown to those who wait
// for it.
Result<file::ReplaceOptions> locked_edit_options(Context& context, const Args& args,
                                                 std::string_view command);

// Two lists of options or fields as one: `constexpr auto kOptions = joined(kOwn, kEditOptions);`
template <typename T, std::size_t N, std::size_t M>
constexpr std::array<T, N + M> joined(const std::array<T, N>& first,
                                      const std::array<T, M>& second) {
  std::array<T, N + M> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + N);
  return all;
}

inline constexpr ExitNote kEditIoExit{ExitCode::kIo,
                                      "the disk is full or failing, and nothing was changed; or it "
                                      "was done, and only the answer could "
                                      "not be written"};

using file::replaced_fields;
inline constexpr std::array kReplacedFields{
    JsonField{"changed", "false where the file had this content and mode already"},
    JsonField{"committed", "the file has the new content now"},
    JsonField{"durable", "and a power cut cannot take it back"},
    JsonField{"old_sha256", "of the content before; null where there was no file"},
    JsonField{"new_sha256", "of the content now"},
    JsonField{"bytes", "its size"},
    JsonField{"backup", "the name of the old version, where --backup kept one; else null"},
    JsonField{"fenced", "it was done in a step in which locks of the caller were checked"},
    JsonField{"fences", "how many of them"},
};

// Says, where it is so, that a write in place had been cut short and that the old content was put
// back before anything else (Replacement::restored_old_content).
void note_restored(Context& context, const std::string& path, bool restored);

// Puts an event of class `event` on record. Where the journal cannot take it (no home, a full disk)
// the work is done all the same, and a warning says that it is not on record.
void record_event(Context& context, const Event& event);
// The same for several, with one look for the journal; nothing happens where there is none.
void record_events(Context& context, std::span<const Event> events);
// `file.replaced`, or nothing where nothing changed. `path` as typed; it is recorded as absolute.
void record_replaced(Context& context, const std::string& path, const file::Replaced& done);
// `file.refused` with the error's cause, for an attempt that changed nothing; returns the error, so
// that `return fail(record_refused(context, path, error));` can be written.
Error record_refused(Context& context, const std::string& path, Error error);

}  // namespace holdfast::cli
