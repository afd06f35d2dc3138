// SPDX-License-Identifier: Apache-2.0
//
// DeferredEvents: the journal of a home, opened only when something must be written now.
//
// Events of class trace (a free lock coming and going) are put off, so that the start of a command
// does not wait for the journal; flush() writes them, in order. Anything stronger is written before
// record() returns, behind what was put off. The home is made where it is missing.
//
// Limit: what was put off carries the time at which it was written; it is lost if this process is
// killed before.
// Errors: of the journal. A trace that cannot be written is lost, and flush() says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/event.h"
#include "journal/write/journal.h"
#include "runtime/home_location.h"

namespace holdfast::cli {

class DeferredEvents final : public EventSink {
 public:
  // The clock must outlive it.
  DeferredEvents(HomeLocation home, const Clock& clock) : home_(std::move(home)), clock_(clock) {}

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

  HomeLocation home_;
  const Clock& clock_;
  std::unique_ptr<journal::Journal> journal_;
  std::vector<PutOff> put_off_;
};

}  // namespace holdfast::cli
