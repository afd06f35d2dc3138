// SPDX-License-Identifier: Apache-2.0
#include "cli/help/topics.h"

#include <string>

#include "cli/frame/commands.h"
#include "format/journal/event_type.h"

namespace holdfast::cli {
namespace {

std::string journal_manual_fields_of(const EventType& type) {
  std::string text;
  for (const EventField& field : type.fields) {
    text += text.empty() ? "" : ", ";
    text += field.required ? "`" + std::string(field.name) + "`" : std::string(field.name);
  }
  return text.empty() ? "no fields of its own" : text;
}

}  // namespace

std::vector<Block> journal_manual() {
  return {
      heading("Questions, in one line each"),
      paragraph("How often did fail-open fire, where, since when?"),
      code("holdfast journal count --by data.lock --type lock.fail_open --since 30d"),
      paragraph("Who held what when?"),
      code("holdfast journal query --where lock=deploy --since 2026-11-01"),
      paragraph("What was killed, and on what proof?"),
      code("holdfast journal query --type process.killed --json"),
      paragraph("What was deleted, and on what evidence?"),
      code("holdfast journal query --type gc.planned --type gc.removed"),
      paragraph("What happens now?"),
      code("holdfast journal follow"),
      paragraph("Has anybody changed the record?"),
      code("holdfast journal verify"),
      heading("What is promised"),
      term("trace", "free locks coming and going; a full disk may drop it, counted"),
      term("event",
           "in the journal when the command returns; where the journal is busy for a "
           "second, in a file beside it that the next writer merges"),
      term("decision",
           "on stable storage before the act that it announces; if that cannot be, "
           "the act does not happen"),
      heading("Damage"),
      paragraph("What cannot be read is reported with its segment and offset, never skipped in "
                "silence, and makes the code 65; everything readable is still shown. A record that "
                "was cut off by a crash is mended by the next writer, which says so "
                "(`journal.repaired`). `holdfast journal repair` puts other damage on record; no "
                "byte of it is removed. An event of a later version of holdfast is 69."),
      paragraph("Whoever can write the files can also write a new chain. An anchor, kept where "
                "they cannot write, excludes that up to its record: `holdfast journal anchor`."),
      paragraph("The types of events: `holdfast help events`."),
  };
}

std::vector<Block> events_topic() {
  std::vector<Block> blocks{
      heading("Description"),
      paragraph("Every event has a type, and the type its class and fields. Types are checked when "
                "an event is recorded, so that a typing error is an error; types that begin with "
                "`x.` are yours, with any data and class `event`. Types and fields are added in "
                "later versions, never renamed. Further fields are allowed in any event."),
      paragraph("Fields in backticks are always there."),
  };
  std::string group;
  for (const EventType& type : event_types()) {
    const std::string first(type.name.substr(0, type.name.find('.')));
    if (first != group) blocks.push_back(heading("Events of " + first));
    group = first;
    blocks.push_back(term(std::string(type.name),
                          std::string(to_text(type.event_class)) + ". " + std::string(type.says) +
                              " Fields: " + journal_manual_fields_of(type)));
  }
  return blocks;
}

}  // namespace holdfast::cli
