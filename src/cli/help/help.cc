// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

#include "cli/frame/command_line.h"
#include "cli/frame/nearest.h"
#include "cli/help/help_text.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

Error no_page(const CommandTable& table, const std::string& name) {
  std::vector<std::string_view> names;
  for (const CommandEntry& entry : table.commands) names.push_back(entry.name);
  for (const GroupEntry& group : table.groups) names.push_back(group.word);
  for (const Topic& topic : topics()) names.push_back(topic.name);
  auto guess = table.moved_to(name);
  if (!guess) guess = nearest(name, names);
  return usage_error("unknown-topic", "find help on", "'" + name + "'",
                     guess ? "did you mean " + std::string(*guess) + "?"
                           : "it is no command and no topic; see `holdfast help`");
}

}  // namespace

Result<Page> find_page(const CommandTable& table, std::span<const std::string> words) {
  if (words.empty()) return overview_page(table);
  std::string name = words[0];
  for (const std::string& word : words.subspan(1)) name += " " + word;
  if (const CommandSpec* spec = table.find(name)) return command_page(table, *spec);
  if (const GroupEntry* group = table.find_group(name)) return group_page(table, *group);
  if (const Topic* topic = find_topic(name)) return topic_page(*topic);
  return fail(no_page(table, name));
}

void show_page(Context& context, const Page& page) {
  const std::string text = help_text(page, context);
  context.print(text);
  context.emit(Json{{"topic", page.name}, {"text", text}});
}

}  // namespace holdfast::cli
