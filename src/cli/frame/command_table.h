// SPDX-License-Identifier: Apache-2.0
//
// CommandTable: the commands of a program, sorted by name, and how to find one.
//
// A command has one word or two. The first of two is a group (`journal append`: group `journal`); a
// group word alone is no command, unless there is one of that name too: `once KEY -- CMD` beside
// `once show KEY`. Tests give the frame a table of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/frame/command.h"

namespace holdfast::cli {

// Block: a piece of a manual page. A heading, a paragraph that may be wrapped, a term with what it
// says, or a line of code that must not be wrapped.
struct Block {
  enum class Kind : std::uint8_t { kHeading, kParagraph, kTerm, kCode };
  Kind kind;
  std::string text;
  std::string says{};  // of a term
};

inline Block heading(std::string text) { return {Block::Kind::kHeading, std::move(text)}; }
inline Block paragraph(std::string text) { return {Block::Kind::kParagraph, std::move(text)}; }
inline Block code(std::string text) { return {Block::Kind::kCode, std::move(text)}; }
inline Block term(std::string text, std::string says) {
  return {Block::Kind::kTerm, std::move(text), std::move(says)};
}

// The headings under which the overview lists commands, in this order.
enum class Section : std::uint8_t { kRun, kLocks, kFiles, kProcesses, kLoops, kRecord, kManual };

std::string_view title(Section section);
inline constexpr Section kLastSection = Section::kManual;

struct CommandEntry {
  std::string_view name;  // the spec's name again, so that the order is checked at compile time
  Section section;
  const CommandSpec* spec;
};

struct GroupEntry {
  std::string_view word;
  std::string_view summary;                  // one line, lower case, no full stop
  std::vector<Block> (*manual)() = nullptr;  // what its page says behind the list of commands
};

// A command or group of an earlier version. It is none any more, and whoever types it is told the
// new one.
struct MovedCommand {
  std::string_view name;
  std::string_view now;
  std::string_view typed = {};  // what to type, where that is more than the new name
};

struct CommandTable {
  std::span<const CommandEntry> commands;  // sorted by name
  std::span<const GroupEntry> groups;      // sorted by word
  std::span<const MovedCommand> moved = {};
  // What people type who know other tools, and what it is called here: `log` and "logs NAME".
  std::span<const MovedCommand> guesses = {};
  const CommandSpec* hidden = nullptr;  // run by its name, and on no page

  [[nodiscard]] const CommandSpec* find(std::string_view name) const;
  [[nodiscard]] const GroupEntry* find_group(std::string_view word) const;
  [[nodiscard]] std::vector<const CommandSpec*> members(const GroupEntry& group) const;
  // The second words of them.
  [[nodiscard]] std::vector<std::string> member_words(const GroupEntry& group) const;
  // What to type for a command of an earlier version; nullopt: it was none.
  [[nodiscard]] std::optional<std::string_view> moved_to(std::string_view name) const;
  // The command that is called as the group; null where there is none.
  [[nodiscard]] const CommandSpec* own_command(const GroupEntry& group) const;
};

// Is the table sorted, without doubles? For static_assert beside a table.
template <typename Entries, typename Key>
constexpr bool strictly_rising(const Entries& entries, Key key) {
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (!(entries[i - 1].*key < entries[i].*key)) return false;
  }
  return true;
}

struct FoundCommand {
  const CommandSpec* spec = nullptr;
  const GroupEntry* group = nullptr;  // set instead of spec: a group word stands alone
  std::size_t words = 0;              // how many words name it
};

// Was there a `--` behind the words?
enum class Dashes : std::uint8_t { kNone, kTyped };

// The longest match at the front of `words`, which is not empty. A group word followed by an option
// or by nothing is that group. Where the first word is a command of its own, a member, or one that
// moved, is meant only without a `--`: in `once show -- make` it is the key that is called `show`.
// (A file that is called like a member is `./status`.) Errors: kUsage, cause `unknown-command`,
// with the new name of one that moved, or the nearest name where one is near.
Result<FoundCommand> find_command(const CommandTable& table, std::span<const std::string> words,
                                  Dashes dashes = Dashes::kNone);

}  // namespace holdfast::cli
