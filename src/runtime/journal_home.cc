// SPDX-License-Identifier: Apache-2.0
#include "runtime/journal_home.h"

#include "runtime/home.h"
#include "runtime/writer_id.h"

namespace holdfast {

Result<std::unique_ptr<journal::Journal>> open_journal(const HomeLocation& location,
                                                       const Clock& clock) {
  const Home home = HF_TRY(Home::open_or_create(location, clock));
  os::Dir dir = HF_TRY(home.open_part(HomePart::kJournal));
  return journal::Journal::open(
      std::move(dir), {.writer = writer_id(), .clock = &clock, .limits = {.note_every_us = 0}});
}

Result<std::optional<os::Dir>> find_journal(const HomeLocation& location) {
  const Result<Home> home = Home::open(location);
  if (!home && home.error().cause == "no-home-yet") return std::nullopt;
  if (!home) return fail(home.error());
  return home->find_part(HomePart::kJournal);
}

}  // namespace holdfast
