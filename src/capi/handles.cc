// SPDX-License-Identifier: Apache-2.0
#include "capi/handles.h"

#include <array>
#include <map>
#include <utility>

#include "lock/grant/local_lock.h"
#include "lock/ledger/exclusion_trial.h"
#include "os/path/path.h"
#include "os/spawn/env.h"
#include "proc/identity/process_facts.h"
#include "run/lock/lock_environment.h"

namespace holdfast::capi {
namespace {

// Those that say where a home is (runtime/home_location.h).
constexpr std::array kHomeVariables{"HOLDFAST_HOME", "XDG_STATE_HOME", "HOME", "LOCALAPPDATA"};

EnvLookup environment_of_now() {
  std::map<std::string, std::string, std::less<>> known;
  for (const char* name : kHomeVariables) {
    if (auto value = os::env(name)) known.emplace(name, *std::move(value));
  }
  return [known = std::move(known)](const char* name) -> std::optional<std::string> {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
}

}  // namespace

Result<EventReceipt> Events::record(const Event& event) { return HF_TRY(journal())->record(event); }

Result<> Events::flush() {
  const std::scoped_lock held(mutex_);
  return journal_ ? journal_->flush() : Result<>();
}

Result<journal::Journal*> Events::journal() {
  const std::scoped_lock held(mutex_);
  if (!journal_) journal_ = HF_TRY(open_());
  return journal_.get();
}

State::State(const Origin& from)
    : origin(from), runtime(from.home(), from.env(), clock), events([this] {
        const std::scoped_lock held(mutex);
        return runtime.open_journal(Traces::kBuffer);
      }) {}

Result<lock::LocalBackend*> State::locks() {
  const std::scoped_lock held(mutex);
  return runtime.locks(origin.any());
}

std::unique_ptr<runtime::Runtime> State::for_call() {
  const std::scoped_lock held(mutex);
  const auto found = runtime.find_home();
  // What is apart reads the place of the home without a lock, so it must be known by then.
  if (found && *found != nullptr) return runtime.apart();
  return std::make_unique<runtime::Runtime>(origin.home(), origin.env(), clock);
}

const std::string& State::command() {
  const std::scoped_lock held(mutex);
  if (!command_known) command_known = proc::program_of(os::own_pid());
  return *command_known;
}

Result<std::shared_ptr<Origin>> Origin::make(const char* home, const holdfast_options& options) {
  auto origin = std::shared_ptr<Origin>(new Origin);
  origin->env_ = environment_of_now();
  // A relative one is where it is now, whatever directory the process goes to.
  if (home != nullptr && *home != 0) {
    origin->home_ = HF_TRY(os::absolute_from_here(home));
  } else if (home != nullptr) {
    origin->home_ = "";
  }
  origin->any_file_system_ = (options.flags & HOLDFAST_ANY_FILE_SYSTEM) != 0;
  if ((options.flags & HOLDFAST_NO_CHAIN) == 0)
    origin->chain_ = HF_TRY(run::chain_of_environment());
  origin->program_ = options.program != nullptr ? options.program
                                                : os::env("HOLDFAST_PROGRAM").value_or("holdfast");
  State& state = origin->state();
  HF_TRY(state.runtime.find_home());
  return origin;
}

Result<lock::Lock*> Seat::lock() {
  if (!opened) {
    State& state = origin->state();
    const auto* const locks = HF_TRY(state.locks());
    lock::Place place = HF_TRY(locks->place_of(id));
    if (!place.trusted) HF_TRY(lock::try_exclusion(place));
    opened = std::make_unique<lock::LocalLock>(std::move(place), locks->fences(), state.clock,
                                               &state.events);
  }
  return opened.get();
}

Result<State*> state_of(holdfast_home* handle) {
  return &HF_TRY(open_handle(handle, kHomeMagic, "hf"))->origin->state();
}

Result<const os::Flag*> flag_of(holdfast_cancel* cancel) {
  if (cancel == nullptr) return nullptr;
  return &HF_TRY(open_handle(cancel, kCancelMagic, "cancel"))->flag;
}

std::string label_of(const lock::LockId& id) {
  return (id.kind == lock::LockId::Kind::kFile ? "file:" : "") + id.text;
}

namespace {

Error not_held(const holdfast_lock& handle, std::string_view op, bool by_parent) {
  if (by_parent) {
    return {.code = ErrorCode::kRefused,
            .op = std::string(op),
            .subject = "'" + label_of(handle.id) + "'",
            .cause = "forked",
            .detail =
                "it was acquired before a fork, so the process that acquired it has it, and "
                "not this child; nothing was changed"};
  }
  return {.code = ErrorCode::kNotFound,
          .op = std::string(op),
          .subject = "'" + label_of(handle.id) + "'",
          .cause = "not-held",
          .detail = "it is not held by this handle; nothing was changed"};
}

}  // namespace

Result<HeldSeat> held_seat(holdfast_lock* handle, std::string_view op) {
  HF_TRY(open_handle(handle, kLockMagic, "lock"));
  Seat& seat = handle->seat();
  std::unique_lock held(seat.mutex);
  if (seat.waiting)
    return fail(
        wrong_call("in-use", "lock", "another thread waits in acquire of this very handle"));
  if (seat.opened && seat.opened->grant())
    return HeldSeat{.seat = &seat, .lock = seat.opened.get(), .held = std::move(held)};
  const std::int64_t holder = handle->holder.load();
  return fail(not_held(*handle, op, holder != 0 && holder != os::process_mark()));
}

}  // namespace holdfast::capi
