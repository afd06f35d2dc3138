// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_file.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/path_text.h"
#include "format/loop/loop_source.h"
#include "format/loop/program_text.h"
#include "format/session/profile.h"
#include "format/text/expand.h"
#include "format/text/name_escape.h"
#include "format/text/toml.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kBadLoop = "bad-loop";
constexpr std::string_view kLoopFileBadValue = "bad-value";
constexpr std::string_view kLoopFileType = "toml-type";
constexpr std::uint64_t kMaxConcurrency = 256;
// NAME-ID:notice is the longest name that is made of it.
constexpr std::size_t kMaxLoopName = kMaxRawName - std::string_view("-:notice").size() - kMaxItemId;

std::string loop_file_quoted(std::string_view key) { return "`" + std::string(key) + "`"; }

bool has_field(const std::vector<TextPiece>& pieces) {
  return std::ranges::any_of(pieces, &TextPiece::is_field);
}

// What a word begins with, up to its first placeholder.
std::string_view literal_before(const std::vector<TextPiece>& pieces) {
  return pieces.front().is_field ? std::string_view() : std::string_view(pieces.front().text);
}

class LoopReader {
 public:
  LoopReader(const TomlTable& table, std::string file, const LoopSurroundings& around)
      : around_{.directory = std::string(lexical_parent(around.path)),
                .variables = around.variables},
        options_(table, file, around_),
        file_(std::move(file)) {
    loop_.path = around.path;
  }

  Result<LoopFile> read() {
    HF_TRY(read_name());
    HF_TRY(read_source());
    HF_TRY(read_choice());
    HF_TRY(read_run());
    HF_TRY(read_acts());
    HF_TRY(read_times());
    HF_TRY(read_surroundings());
    HF_TRY(read_budget());
    HF_TRY(toml().finish());
    HF_TRY(check_together());
    return std::move(loop_);
  }

 private:
  TomlReader& toml() { return options_.toml(); }

  [[nodiscard]] std::unexpected<Error> refuse(std::string_view key, std::string_view cause,
                                              std::string_view why) {
    return fail(toml().error(key, cause, why));
  }

  Result<> read_name() {
    const auto given = HF_TRY(toml().text("name"));
    std::string_view name = last_component(loop_.path);
    if (name.ends_with(".toml")) name.remove_suffix(5);
    loop_.name = given.value_or(std::string(name));
    if (loop_.name.size() > kMaxLoopName) {
      return refuse("name", "bad-name",
                    "the name of a loop has " + std::to_string(kMaxLoopName) + " bytes at most");
    }
    const auto escaped = escape_name(loop_.name, platform_name_rules());
    if (!escaped) return refuse("name", "bad-name", escaped.error().detail);
    return {};
  }

  // What the source runs has no item: its words are taken as they are.
  Result<> read_source() {
    auto source = HF_TRY(toml().command("source"));
    if (source) loop_.source.words = *std::move(source);
    loop_.source.is_line = is_line(toml(), "source");
    const auto output = HF_TRY(toml().text("output"));
    if (output && *output != "lines" && *output != "nul") {
      return refuse("output", kLoopFileBadValue,
                    "`output` is \"lines\" (JSON, the default) or \"nul\"");
    }
    loop_.source_is_nul = output == "nul";
    loop_.source_timeout = HF_TRY(duration("source_timeout", 1min, Zero::kRefused));
    const auto max = HF_TRY(toml_size(toml(), "source_max"));
    loop_.source_max = max ? max->value : std::uint64_t{16} << 20U;
    if (loop_.source_max == 0)
      return refuse("source_max", kLoopFileBadValue, "`source_max` is at least 1");
    return {};
  }

  Result<> read_choice() {
    loop_.id = HF_TRY(field("id")).value_or("id");
    HF_TRY(read_matches("filter", loop_.filter));
    HF_TRY(read_matches("exclude", loop_.exclude));
    loop_.priority = HF_TRY(field("priority"));
    auto order = HF_TRY(toml().texts("priority_order"));
    if (!order) return {};
    if (!loop_.priority) {
      return refuse("priority_order", kBadLoop, "`priority_order` is about the field `priority`");
    }
    for (std::size_t i = 0; i < order->size(); ++i) {
      if (std::find(order->begin(), order->begin() + static_cast<std::ptrdiff_t>(i), (*order)[i]) !=
          order->begin() + static_cast<std::ptrdiff_t>(i)) {
        return refuse("priority_order", kLoopFileBadValue,
                      loop_file_quoted((*order)[i]) + " stands in it twice");
      }
    }
    loop_.priority_order = *std::move(order);
    return {};
  }

  Result<> read_run() {
    loop_.run = HF_TRY(command(toml(), "run"));
    loop_.profile = HF_TRY(options_.absolute("profile"));
    loop_.session_profile = HF_TRY(toml().text("session_profile"));
    if (loop_.session_profile && loop_.session_profile->empty()) {
      return refuse("session_profile", kLoopFileBadValue, "`session_profile` is empty");
    }
    const auto session = HF_TRY(toml().text("session"));
    if (session) {
      const auto pieces = split_placeholders(*session);
      if (!pieces) return refuse("session", kLoopFileBadValue, pieces.error().detail);
      if (!has_field(*pieces)) {
        return refuse("session", kLoopFileBadValue,
                      "`session` has no {field}: all items would have the same name");
      }
      HF_TRY(check_fields(toml(), "session", *pieces));
      loop_.session = *session;
    }
    loop_.timeout = HF_TRY(duration("timeout", 1h, Zero::kRefused));
    loop_.idle_timeout = HF_TRY(optional_duration("idle_timeout", Zero::kRefused));
    loop_.grace = HF_TRY(optional_duration("grace", Zero::kFine));
    return {};
  }

  Result<> read_acts() {
    loop_.verify = HF_TRY(command(toml(), "verify"));
    loop_.on_success = HF_TRY(act("on_success"));
    loop_.on_failure = HF_TRY(act("on_failure"));
    loop_.notify = HF_TRY(command(toml(), "notify"));
    return {};
  }

  Result<> read_times() {
    loop_.attempts = HF_TRY(count(toml(), "attempts")).value_or(3);
    HF_TRY(read_backoff());
    loop_.cooldown = HF_TRY(duration("cooldown", 24h, Zero::kFine));
    loop_.concurrency = HF_TRY(count(toml(), "concurrency")).value_or(1);
    if (loop_.concurrency > kMaxConcurrency) {
      return refuse("concurrency", kLoopFileBadValue,
                    "`concurrency` is at most " + std::to_string(kMaxConcurrency));
    }
    loop_.every = HF_TRY(duration("every", 1min, Zero::kRefused));
    loop_.verify_every = HF_TRY(duration("verify_every", 1min, Zero::kRefused));
    loop_.act_timeout = HF_TRY(duration("act_timeout", 5min, Zero::kRefused));
    loop_.assume_gone_after = HF_TRY(optional_duration("assume_gone_after", Zero::kRefused));
    loop_.keep = HF_TRY(duration("keep", 30 * 24h, Zero::kRefused));
    return {};
  }

  Result<> read_backoff() {
    const TomlValue* value = toml().value("backoff");
    if (value == nullptr) {
      loop_.backoff = {5min, 30min, 2h};
      return {};
    }
    const auto* array = std::get_if<TomlArray>(&value->value);
    const std::size_t waits = array == nullptr ? 1 : array->size();
    for (std::size_t i = 0; i < waits; ++i) {
      const TomlValue& one = array == nullptr ? *value : (*array)[i];
      const auto wait = toml_duration_of(toml(), "backoff", one, Zero::kFine);
      if (!wait) return fail(wait.error());
      loop_.backoff.push_back(wait->value);
    }
    if (waits == 0) return refuse("backoff", kLoopFileBadValue, "`backoff` has no time in it");
    return {};
  }

  Result<> read_surroundings() {
    const auto contain = HF_TRY(toml().text("contain"));
    if (contain && *contain != "auto" && *contain != "pidns") {
      return refuse("contain", kLoopFileBadValue,
                    "`contain` is \"auto\" (the default) or \"pidns\"");
    }
    loop_.own_pid_namespace = contain == "pidns";
    loop_.directory = HF_TRY(options_.absolute("chdir")).value_or(around_.directory);
    HF_TRY(options_.variables("env", "env"));
    for (ProfileOption& option : options_.take()) {
      loop_.environment.push_back(std::move(option.value));
    }
    HF_TRY(options_.locks("lock"));
    for (ProfileOption& option : options_.take()) {
      const bool path = is_lock_path(option.value);
      const auto escaped = path ? escape_lock_path(option.value, platform_name_rules())
                                : escape_name(option.value, platform_name_rules());
      if (!escaped) return refuse("lock", "bad-name", escaped.error().detail);
      loop_.locks.push_back(std::move(option.value));
    }
    return {};
  }

  Result<> read_budget() {
    const TomlTable* const table = HF_TRY(toml().table("budget"));
    if (table == nullptr) return {};
    TomlReader budget(*table, file_);
    loop_.budget.items = HF_TRY(count(budget, "items"));
    const auto time = HF_TRY(toml_duration(budget, "time", Zero::kRefused));
    if (time) loop_.budget.time = time->value;
    loop_.budget.failures = HF_TRY(count(budget, "failures"));
    return budget.finish();
  }

  // After finish(): a misspelt key is called that, and not a missing one.
  Result<> check_together() {
    if (loop_.source.words.empty()) {
      return refuse("source", "toml-missing", "`source` is missing: the command that lists items");
    }
    if (loop_.run.has_value() == loop_.profile.has_value()) {
      return refuse(loop_.run ? "profile" : "run", loop_.run ? kBadLoop : "toml-missing",
                    "a loop needs one of `run` and `profile`, and not both");
    }
    if (loop_.profile.has_value() != loop_.session_profile.has_value()) {
      return refuse(loop_.profile ? "profile" : "session_profile", kBadLoop,
                    "`profile` is a file, `session_profile` a session in it: both, or none");
    }
    if (!loop_.source_is_nul) return {};
    const auto only_id = [](const LoopMatch& match) { return match.field == "id"; };
    if (loop_.id != "id") return refuse("id", kBadLoop, kNulHasOnlyIds);
    if (!std::ranges::all_of(loop_.filter, only_id)) {
      return refuse("filter", kBadLoop, kNulHasOnlyIds);
    }
    if (!std::ranges::all_of(loop_.exclude, only_id)) {
      return refuse("exclude", kBadLoop, kNulHasOnlyIds);
    }
    if (loop_.priority && *loop_.priority != "id") {
      return refuse("priority", kBadLoop, kNulHasOnlyIds);
    }
    return {};
  }

  static bool is_line(TomlReader& table, std::string_view key) {
    const TomlValue* value = table.value(key);
    return value != nullptr && std::holds_alternative<std::string>(value->value);
  }

  // `source_is_nul` is known by now: the source is read first.
  Result<> check_fields(TomlReader& table, std::string_view key,
                        const std::vector<TextPiece>& pieces) {
    for (const TextPiece& piece : pieces) {
      if (piece.is_field && loop_.source_is_nul && piece.text != "id") {
        return fail(table.error(key, kBadLoop, kNulHasOnlyIds));
      }
    }
    return {};
  }

  Result<std::optional<LoopCommand>> command(TomlReader& table, std::string_view key) {
    auto words = HF_TRY(table.command(key));
    if (!words) return std::nullopt;
    LoopCommand command{.words = *std::move(words), .is_line = is_line(table, key)};
    if (command.is_line) {
      if (const auto meant = find_shell_placeholder(command.words.back())) {
        return fail(table.error(
            key, kLoopFileBadValue,
            loop_file_quoted(key) + " is a line for a shell, where `" + *meant +
                "` is not replaced: make it an array, or read the item from standard input"));
      }
      return command;
    }
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const auto pieces = split_placeholders(command.words[i]);
      if (!pieces) {
        return fail(table.error(key, kLoopFileBadValue,
                                loop_file_quoted(key) + ": " + pieces.error().detail));
      }
      HF_TRY(check_fields(table, key, *pieces));
      if (has_field(*pieces) && is_program_text(command.words, i, literal_before(*pieces))) {
        return fail(table.error(key, kLoopFileBadValue,
                                loop_file_quoted(key) +
                                    ": text of an item must not become shell; write $1 "
                                    "in the line, and behind it `sh` and the {field}"));
      }
    }
    return command;
  }

  Result<std::optional<LoopAct>> act(std::string_view key) {
    const TomlValue* value = toml().value(key);
    if (value == nullptr) return std::nullopt;
    LoopAct result;
    const auto* table = std::get_if<TomlTable>(&value->value);
    if (table == nullptr) {
      auto run = HF_TRY(command(toml(), key));
      if (run) result.run = *std::move(run);
      return result;
    }
    TomlReader inner(*table, file_);
    auto run = HF_TRY(command(inner, "run"));
    result.verify = HF_TRY(command(inner, "verify"));
    const auto timeout = HF_TRY(toml_duration(inner, "timeout", Zero::kRefused));
    if (timeout) result.timeout = timeout->value;
    HF_TRY(inner.finish());
    if (!run) return refuse(key, "toml-missing", loop_file_quoted(key) + " has no `run`");
    result.run = *std::move(run);
    return result;
  }

  Result<std::optional<std::string>> field(std::string_view key) {
    auto name = HF_TRY(toml().text(key));
    if (name && !split_field(*name)) {
      return refuse(key, kLoopFileBadValue,
                    loop_file_quoted(key) +
                        " must name a field of an item: \"number\", "
                        "\"author.login\"");
    }
    return name;
  }

  Result<> read_matches(std::string_view key, std::vector<LoopMatch>& matches) {
    const TomlTable* const table = HF_TRY(toml().table(key));
    if (table == nullptr) return {};
    return add_matches(*table, "", matches);
  }

  // `{ a.b = … }` is a table in a table, and means the same as `{ "a.b" = … }`. It ends: TOML
  // values nest 32 deep.
  Result<> add_matches(const TomlTable& table, const std::string& prefix,
                       std::vector<LoopMatch>& matches) {
    const TomlReader inner(table, file_);
    for (const auto& [name, value] : table.entries) {
      LoopMatch match{.field = prefix + name};
      if (!split_field(match.field) || match.field.find('\0') != match.field.npos) {
        return fail(inner.error(name, kLoopFileBadValue, "this does not name a field of an item"));
      }
      if (const auto* deeper = std::get_if<TomlTable>(&value.value)) {
        HF_TRY(add_matches(*deeper, match.field + ".", matches));
        continue;
      }
      const auto* array = std::get_if<TomlArray>(&value.value);
      const std::size_t words = array == nullptr ? 1 : array->size();
      for (std::size_t i = 0; i < words; ++i) {
        auto word = match_word(array == nullptr ? value : (*array)[i]);
        if (!word) {
          return fail(inner.error(name, kLoopFileType,
                                  loop_file_quoted(name) +
                                      " must be a text, a whole number, true or false, or an array "
                                      "of them"));
        }
        match.one_of.push_back(*std::move(word));
      }
      if (words == 0)
        return fail(inner.error(name, kLoopFileBadValue, "an empty list matches nothing"));
      matches.push_back(std::move(match));
    }
    return {};
  }

  static std::optional<std::string> match_word(const TomlValue& value) {
    if (const auto* flag = std::get_if<bool>(&value.value)) return *flag ? "true" : "false";
    return toml_text_or_integer(value);
  }

  Result<Duration> duration(std::string_view key, Duration otherwise, Zero zero) {
    const auto given = toml_duration(toml(), key, zero);
    if (!given) return fail(given.error());
    return *given ? (*given)->value : otherwise;
  }

  Result<std::optional<Duration>> optional_duration(std::string_view key, Zero zero) {
    const auto given = toml_duration(toml(), key, zero);
    if (!given) return fail(given.error());
    if (!*given) return std::nullopt;
    return (*given)->value;
  }

  static Result<std::optional<std::uint64_t>> count(TomlReader& table, std::string_view key) {
    const auto number = table.integer(key);
    if (!number) return fail(number.error());
    if (!*number) return std::nullopt;
    if (**number < 1)
      return fail(table.error(key, kLoopFileBadValue, loop_file_quoted(key) + " is at least 1"));
    return static_cast<std::uint64_t>(**number);
  }

  static constexpr std::string_view kNulHasOnlyIds =
      "with `output = \"nul\"` the field of an item is `id`, and there is no other";

  ProfileSurroundings around_;
  ProfileOptionReader options_;
  std::string file_;
  LoopFile loop_;
};

}  // namespace

Result<LoopFile> parse_loop_file(std::string_view text, std::string name,
                                 const LoopSurroundings& around) {
  const TomlTable table = HF_TRY(parse_toml(text, name));
  TomlReader top(table, name);
  const TomlTable* const loop = HF_TRY(top.table("loop"));
  HF_TRY(top.finish());
  if (loop == nullptr) return fail(top.error("loop", "toml-missing", "there is no [loop] in it"));
  return LoopReader(*loop, std::move(name), around).read();
}

}  // namespace holdfast
