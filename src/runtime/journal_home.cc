// SPDX-License-Identifier: Apache-2.0
#include "runtime/journal_home.h"

#include "runtime/writer_id.h"

namespace holdfast {

Result<std::unique_ptr<journal::Journal>> open_journal(const Home& home, const Clock& clock,
                                                       Traces traces) {
  os::Dir dir = HF_TRY(home.open_part(HomePart::kJournal));
  return journal::Journal::open(std::move(dir), {.writer = writer_id(),
                                                 .clock = &clock,
                                                 .limits = {.note_every_us = 0},
                                                 .buffer_traces = traces == Traces::kBuffer});
}

Result<std::optional<os::Dir>> find_journal(const HomeLocation& location) {
  const std::optional<Home> home = HF_TRY(Home::find(location));
  if (!home) return std::nullopt;
  return home->find_part(HomePart::kJournal);
}

}  // namespace holdfast
