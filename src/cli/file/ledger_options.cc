// SPDX-License-Identifier: Apache-2.0
#include "cli/file/ledger_options.h"

#include <charconv>
#include <optional>

#include "cli/file/file_options.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/option_value.h"
#include "cli/frame/user_file.h"
#include "os/machine/real_clock.h"
#include "os/stream/stdio.h"

namespace holdfast::cli {
namespace {

// More than an entry may have, so that the refusal can say what is allowed.
constexpr std::size_t kMostInput = 8 * kMaxLedgerEntryBytes;

std::optional<std::uint64_t> parse_cap(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

Result<LedgerCaps> caps_of(const Args& args) {
  LedgerCaps caps;
  caps.newest = args.integer("cap");
  if (caps.newest == 0) return bad_value("cap", "0", "the new entry itself would not stay");
  for (const std::string& text : args.texts("cap-per")) {
    const std::size_t equal = text.rfind('=');
    const auto newest = equal == std::string::npos
                            ? std::nullopt
                            : parse_cap(std::string_view(text).substr(equal + 1));
    if (!newest) return bad_value("cap-per", text, "it is FIELD=N, with N of 1 or more");
    LedgerCaps::PerField per{.field = HF_TRY(parse_ledger_path(text.substr(0, equal))),
                             .newest = *newest};
    caps.per.push_back(std::move(per));
  }
  return caps;
}

}  // namespace

Result<std::string> load_ledger_of(const Args& args) {
  const bool follow = args.text("links").value_or("refuse") == "follow";
  return file::load_ledger(
      args.arguments().front(), follow ? file::Links::kFollow : file::Links::kRefuse,
      args.flag("foreign-owner") ? file::ForeignOwner::kAccept : file::ForeignOwner::kRefuse,
      trust_of(args));
}

Result<std::vector<std::string>> time_path_of(const Args& args) {
  return parse_ledger_path(args.text("time-field").value_or("time"));
}

Result<file::LedgerAppend> append_options_of(Context& context, const Args& args) {
  file::LedgerAppend how;
  how.caps = HF_TRY(caps_of(args));
  how.replace = HF_TRY(locked_edit_options(context, args, "ledger append"));
  how.times = args.flag("keep-time") ? LedgerTimes::kKeep : LedgerTimes::kOurs;
  const std::vector<std::string> field = HF_TRY(time_path_of(args));
  if (field.size() != 1) {
    return bad_value("time-field", *args.text("time-field"),
                     "the time of a new entry is a field of its own, not one inside another");
  }
  how.time_field = field.front();
  how.replace.mode = HF_TRY(mode_value(args));
  return how;
}

Result<LedgerQuestion> ledger_question_of(const Args& args) {
  LedgerQuestion question{.now = os::RealClock().wall()};
  for (const std::string& text : args.texts("where")) {
    question.where.push_back(HF_TRY(parse_ledger_where(text)));
  }
  question.time_field = HF_TRY(time_path_of(args));
  question.within = args.duration("within");
  return question;
}

Result<std::string> entry_text_of(const Args& args) {
  const auto data = args.text("data");
  if (data && data->starts_with('@')) return read_user_file(data->substr(1), kMostInput);
  if (data && *data != "-") return *data;
  if (!data && os::is_terminal(os::Stream::kIn)) {
    return fail(usage_error("missing-option", "append to", "the ledger",
                            "give the entry by --data, or on standard input"));
  }
  return os::read_stdin(kMostInput);
}

std::vector<Block> ledger_manual() {
  return {
      heading("What a ledger is"),
      paragraph(
          "A history of JSON objects in one file, the newest last: a JSON array, or JSON "
          "lines. The format and the layout of a file that is there are kept, and so is every "
          "byte of its entries. A new file called `.jsonl` is lines, any other an array."),
      paragraph("`holdfast ledger append` gives each entry its time. Caps keep the file small: "
                "--cap for all entries, --cap-per for each value of a field, so that one noisy "
                "value does not drive out the others."),
      heading("May I ask again?"),
      code("holdfast ledger last asked.json --where signal=abc --within 24h"),
      term("0", "there is such an entry, not older than a day"),
      term("66", "there is none, for certain"),
      term("65", "the ledger is damaged, and nobody can say"),
      term("69", "the entry that decides has no time, or one in the future"),
      term("71, 77", "it cannot be read, or is not a file that may be believed"),
      heading("Damage"),
      paragraph(
          "What cannot be read is never taken for empty: a damaged ledger answers 65 and is "
          "not changed, until `holdfast ledger repair` puts the damaged file aside as "
          "`NAME.corrupt-TIME` and keeps every entry that can be read whole. An empty file is "
          "damage, too, unless it is called `.jsonl`."),
  };
}

}  // namespace holdfast::cli
