// SPDX-License-Identifier: Apache-2.0
#include "cli/file/file_options.h"

#include "base/digest.h"
#include "cli/file/file_lock.h"
#include "cli/frame/option_value.h"
#include "cli/frame/user_file.h"
#include "cli/journal/journal_reading.h"

namespace holdfast::cli {
namespace {

constexpr std::uint64_t kMostBackups = 1000;

file::Durability durability_of(const Args& args) {
  const std::string word = args.text("durability").value_or("full");
  if (word == "none") return file::Durability::kNone;
  return word == "data" ? file::Durability::kData : file::Durability::kFull;
}

file::Links links_of(const Args& args) {
  const std::string word = args.text("links").value_or("refuse");
  if (word == "follow") return file::Links::kFollow;
  return word == "replace" ? file::Links::kReplace : file::Links::kRefuse;
}

Result<std::optional<file::Expectation>> expectation_of(const Args& args) {
  const auto word = args.text("if-hash");
  if (!word) return std::nullopt;
  if (*word == "absent") return file::Expectation{};
  std::string_view hex = *word;
  if (hex.starts_with("sha256:")) hex.remove_prefix(7);
  const auto digest = parse_digest_hex(hex);
  if (digest) return file::Expectation{.digest = digest};
  return bad_value("if-hash", *word,
                   "it is 64 hexadecimal digits, as sha256sum prints them, or `absent`");
}

}  // namespace

file::TrustDir trust_of(const Args& args) {
  return args.flag("trust-dir") ? file::TrustDir::kAny : file::TrustDir::kOnlyOwn;
}

Result<file::ReplaceOptions> edit_options(const Args& args) {
  file::ReplaceOptions options;
  options.durability = durability_of(args);
  options.links = links_of(args);
  options.trust = trust_of(args);
  options.expect = HF_TRY(expectation_of(args));
  const std::uint64_t backups = args.integer("backup").value_or(0);
  if (backups > kMostBackups) {
    return bad_value("backup", std::to_string(backups), "at most 1000 can be kept");
  }
  options.backups = static_cast<std::uint32_t>(backups);
  if (const auto wait = args.duration("wait")) options.wait = *wait;
  if (args.flag("break-hardlinks")) options.hard_links = file::HardLinks::kBreak;
  if (args.flag("foreign-owner")) options.foreign_owner = file::ForeignOwner::kAccept;
  if (args.flag("in-place")) options.how = file::How::kInPlace;
  options.gate = HF_TRY(gate_of(args, args.arguments().front()));
  return options;
}

Result<file::Target> target_of(const Args& args, const file::ReplaceOptions& options) {
  return file::locate(args.arguments().front(), options.links, options.trust);
}

Result<file::ReplaceOptions> locked_edit_options(Context& context, const Args& args,
                                                 std::string_view command) {
  file::ReplaceOptions options = HF_TRY(edit_options(args));
  options.edit_lock = edit_lock(context.runtime(), HF_TRY(file_locks_for(args, command, options)));
  return options;
}

void note_restored(Context& context, const std::string& path, bool restored) {
  if (!restored) return;
  context.warn("an earlier write in place of " + path +
               " was cut short; its old content was put back first");
}

void record_event(Context& context, const Event& event) { record_events(context, {&event, 1}); }

void record_events(Context& context, std::span<const Event> events) {
  if (events.empty()) return;
  const auto recorded = [&]() -> Result<> {
    const auto journal = HF_TRY(journal_to_write(context));
    for (const Event& event : events) HF_TRY(journal->record(event));
    return {};
  }();
  if (!recorded) context.warn("this is not on record: " + to_sentence(recorded.error()));
}

void record_replaced(Context& context, const std::string& path, const file::Replaced& done) {
  if (done.changed) record_event(context, file::replaced_event(path, done));
}

Error record_refused(Context& context, const std::string& path, Error error) {
  if (file::changed_nothing(error)) record_event(context, file::refused_event(path, error));
  return error;
}

}  // namespace holdfast::cli
