// SPDX-License-Identifier: Apache-2.0
//
// What follows for an item from the end of an act. Pure: the table of item_table.h says where it
// may lead, and here is which way it goes.
//
//   the run ended                 with `verify`            without
//   exit 0                        the world is asked       done
//   another exit, ended by force,
//   refuted by its own `verify`   the world is asked       a failed attempt
//   exit 69: it cannot tell       the world is asked       run again later; costs no attempt
//   its own `verify` cannot tell  the world is asked       unknown: a person has to tell
//   lost                          the world is asked       unknown: a person has to tell
//   could not be started          a failed attempt         a failed attempt
//
// An exit status is a claim, whichever it is: one that merged and then exited with 1 must not merge
// again. Only where there is nobody to ask is it believed.
//
//   the world says yes            done, and on_success follows
//   no                            a failed attempt; after exit 69 it costs none
//   cannot tell                   it is asked again later; nothing else happens
//
//   on_success, on_failure        exit 0: done. Otherwise its own `verify` is asked; without one
//                                 another exit is tried again, as often as a run, and of what
//                                 was lost or ended by force a person has to tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "format/loop/loop_file.h"
#include "format/loop/loop_item.h"
#include "loop/intent/question.h"
#include "loop/item/item_table.h"
#include "session/record/view.h"

namespace holdfast::loop {

struct ActEnd {
  enum class How : std::uint8_t {
    kExited,
    kNeverStarted,  // the command could not be started
    kEndedByForce,  // a deadline, a signal, a person; or it exited with 0 when it was asked to end
    kRefuted,       // exit 0, and the run's own verification said no
    kUnverified,    // exit 0, and the run's own verification could not tell
    kLost,
  };
  How how = How::kLost;
  int code = 0;          // of kExited
  std::string detail{};  // for people
  Duration took{};
};

ActEnd end_of(const session::SessionView& view);

// Of a verification.
Answer answer_of(const ActEnd& end);

struct Accounted {
  ItemRecord item{};
  bool attempt_failed = false;
  bool verified = false;               // by the world, just now
  std::optional<std::string> about{};  // there is something to be told
  bool given_up = false;               // all attempts are used up, of the run or of what follows it
};

// `item.act` is of the act that ended.
Accounted account(ItemRecord item, const LoopFile& file, const ActEnd& end, const TimeMark& now);
// It is proven that the act never began.
ItemRecord account_not_started(ItemRecord item, const TimeMark& now);

// The table's answer; what cannot happen leaves the item as it is.
void enter(ItemRecord& item, ItemEvent event, const TimeMark& now);

Duration backoff_after(const LoopFile& file, std::uint64_t failures);

}  // namespace holdfast::loop
