// SPDX-License-Identifier: Apache-2.0
//
// BufferedEvents: the journal of a home, opened only when something must be written now.
//
// Events of class trace (a free lock that comes and goes) are put off, so that a command does not
// wait for the journal before it starts; flush() writes them, in order. Anything stronger is
// written before record() returns, behind what was put off. The home is made if it is missing.
//
// Limit: what was put off carries the time at which it was written. It is lost if nobody calls
// flush(), or if the process is killed before.
// Errors: of the home and of the journal. A trace that cannot be written is lost, and flush() says
// so.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/event.h"
#include "base/reporter.h"
#include "base/result.h"
#include "journal/write/journal.h"

namespace holdfast::runtime {

class BufferedEvents final : public EventSink {
 public:
  using OpenJournal = std::function<Result<std::unique_ptr<journal::Journal>>()>;
  explicit BufferedEvents(OpenJournal open) : open_(std::move(open)) {}

  Result<EventReceipt> record(const Event& event) override;
  Result<> flush();
  // In a child by fork: what was put off, and the open journal, are the parent's.
  void forget();

 private:
  struct PutOff {
    std::string type;
    EventData data;
  };
  Result<journal::Journal*> journal();

  OpenJournal open_;
  std::unique_ptr<journal::Journal> journal_;
  std::vector<PutOff> put_off_;
};

// flush(), and a warning if that fails.
void flush_or_warn(BufferedEvents& events, Reporter& reporter);

}  // namespace holdfast::runtime
