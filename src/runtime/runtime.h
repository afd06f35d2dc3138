// SPDX-License-Identifier: Apache-2.0
//
// Runtime: what every command, every supervisor and the library stand on: where the state is, its
// parts, its journal, and the clock. Each part is opened when it is first asked for, and the home
// once.
//
//   runtime::Runtime runtime(home_option, os::env, clock);
//   const auto* sessions = HF_TRY(runtime.find_sessions());   // reads; null: none yet
//   const auto* sessions = HF_TRY(runtime.sessions());        // makes what is missing
//   runtime.events().record(…);                               // makes the home, if it must
//   HF_TRY(runtime.events().flush());                         // at the end
//
// Guarantee: a call named find_… makes nothing. "There is no home yet" is an answer, null or
// nullopt; anything else that keeps one from reading the home is an Error (runtime/home.h), the
// same for each call.
//
// Fork: a child may use what its parent has opened, but not an open journal or a lock that the
// parent goes on to use. Where both go on, the child gets a Runtime of its own by apart(); where
// only the child does, nothing needs to be done.
//
// Not movable: the backends inside keep references.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "lock/grant/local_lock.h"
#include "os/dir/dir.h"
#include "runtime/buffered_events.h"
#include "runtime/home.h"
#include "runtime/home_location.h"
#include "runtime/journal_home.h"
#include "session/record/store.h"

namespace holdfast::runtime {

class Runtime {
 public:
  // Looks at nothing yet. `home` is --home as it was typed. The clock must outlive it.
  Runtime(std::optional<std::string> home, EnvLookup env, const Clock& clock)
      : Runtime(std::make_shared<Place>(Place{.option = std::move(home), .env = std::move(env)}),
                clock) {}
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime() = default;

  [[nodiscard]] const Clock& clock() const { return clock_; }
  Result<HomeLocation> location();

  Result<const Home*> home();
  Result<const session::SessionStore*> sessions();
  // Workspaces lie beside the sessions, one directory for each.
  Result<const session::SessionStore*> workspaces() { return sessions(); }
  Result<lock::LocalBackend*> locks(lock::AnyFileSystem any = lock::AnyFileSystem::kRefuse);
  Result<os::Dir> steps();
  Result<os::Dir> loops();

  Result<const Home*> find_home();
  Result<const session::SessionStore*> find_sessions();
  Result<const session::SessionStore*> find_workspaces() { return find_sessions(); }
  Result<lock::LocalBackend*> find_locks(lock::AnyFileSystem any);
  Result<std::optional<os::Dir>> find_steps();
  Result<std::optional<os::Dir>> find_loops();
  Result<std::optional<os::Dir>> find_journal();

  // The journal of this runtime. Opens nothing before there is something to write.
  [[nodiscard]] BufferedEvents& events() { return events_; }
  // The same for what needs no home: where none can be had, events are dropped without an Error.
  [[nodiscard]] EventSink& events_if_any() { return if_any_; }
  // A journal of its own, for whoever must not share the one above. This must outlive it.
  [[nodiscard]] BufferedEvents own_events();
  // The journal itself, for who writes events of other programs or maintains it. If the home was
  // moved away since it was opened, the journal is that of the home in its place.
  Result<std::unique_ptr<journal::Journal>> open_journal(Traces traces = Traces::kWrite);

  // In a child by fork that outlives its caller: what was put off and the open journal are the
  // parent's, and the home is opened anew if it is needed. Sessions and locks stay open.
  void forget();

  // The same home, opened once for both, the same clock, and nothing else in common.
  [[nodiscard]] std::unique_ptr<Runtime> apart() const;

 private:
  class EventsIfAny final : public EventSink {
   public:
    explicit EventsIfAny(Runtime& runtime) : runtime_(runtime) {}
    Result<EventReceipt> record(const Event& event) override;

   private:
    Runtime& runtime_;
  };

  Result<std::optional<os::Dir>> find_part(HomePart part);
  lock::LocalBackend* backend(os::Dir locks, lock::AnyFileSystem any);

  // Where the home is, once that was asked for; one for all that are apart.
  struct Place {
    std::optional<std::string> option;
    EnvLookup env;
    std::optional<HomeLocation> location{};
    std::optional<Home> home{};
  };
  Runtime(std::shared_ptr<Place> place, const Clock& clock)
      : place_(std::move(place)), clock_(clock) {}

  std::shared_ptr<Place> place_;
  const Clock& clock_;
  std::optional<session::SessionStore> sessions_{};
  BufferedEvents events_{[this] { return open_journal(); }};
  EventsIfAny if_any_{*this};
  std::optional<os::Dir> locks_{};
  std::array<std::unique_ptr<lock::LocalBackend>, 2> backends_{};  // by AnyFileSystem
};

}  // namespace holdfast::runtime
