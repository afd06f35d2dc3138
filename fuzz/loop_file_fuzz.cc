// SPDX-License-Identifier: Apache-2.0
// Whatever the text: it is refused as a configuration error that names its place, or every path is
// absolute, commands have a first word, counts are in range, and no placeholder is left to find out
// about when an item is there.
#include <algorithm>
#include <cstdlib>

#include "format/loop/loop_file.h"
#include "format/text/expand.h"

using namespace holdfast;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

bool whole(const std::string& text) { return text.find('\0') == std::string::npos; }

void check_command(const LoopCommand& command) {
  check(!command.words.empty() && !command.words.front().empty());
  check(std::ranges::all_of(command.words, whole));
  if (command.is_line) {
    check(command.words.size() == 3 && !find_shell_placeholder(command.words.back()));
    return;
  }
  for (const std::string& word : command.words) check(split_placeholders(word).has_value());
}

void check_act(const std::optional<LoopAct>& act) {
  if (!act) return;
  check_command(act->run);
  if (act->verify) check_command(*act->verify);
  check(!act->timeout || *act->timeout > Duration::zero());
}

void check_matches(const std::vector<LoopMatch>& matches) {
  for (const LoopMatch& match : matches) {
    check(split_field(match.field).has_value() && !match.one_of.empty());
  }
}

void check_file(const LoopFile& file) {
  check(!file.name.empty() && whole(file.name) && file.directory.starts_with('/'));
  check(!file.source.words.empty() && std::ranges::all_of(file.source.words, whole));
  check(file.source_max > 0 && split_field(file.id).has_value());
  check_matches(file.filter);
  check_matches(file.exclude);
  check(file.run.has_value() != file.profile.has_value());
  if (file.run) check_command(*file.run);
  check(!file.profile || (file.profile->starts_with('/') && file.session_profile));
  check(split_placeholders(file.session).has_value());
  if (file.verify) check_command(*file.verify);
  if (file.notify) check_command(*file.notify);
  check_act(file.on_success);
  check_act(file.on_failure);
  check(file.attempts >= 1 && !file.backoff.empty());
  check(file.concurrency >= 1 && file.concurrency <= 256);
  for (const Duration time : {file.timeout, file.every, file.verify_every, file.act_timeout}) {
    check(time > Duration::zero());
  }
  check(std::ranges::all_of(file.environment, whole) && std::ranges::all_of(file.locks, whole));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const LoopSurroundings around{
      .path = "/base/fix.toml",
      .variables = [](const std::string& name) -> std::optional<std::string> {
        if (name == "UNSET") return std::nullopt;
        return name == "HOME" ? "/home/me" : "v";
      }};
  const auto file = parse_loop_file({reinterpret_cast<const char*>(data), size}, "l.toml", around);
  if (file) {
    check_file(*file);
    return 0;
  }
  check(file.error().code == ErrorCode::kConfig && !file.error().cause.empty());
  check(file.error().subject.starts_with("l.toml:"));
  return 0;
}
