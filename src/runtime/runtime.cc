// SPDX-License-Identifier: Apache-2.0
#include "runtime/runtime.h"

#include <utility>

#include "base/path_text.h"
#include "os/path/safe_name.h"

namespace holdfast::runtime {
namespace {

// A command may run for days, and what it is about may be anything: the home, too.
bool is_in_its_place(const Home& home, const HomeLocation& location) {
  const auto own = home.dir().info();
  const auto parent = os::Dir::open_following_links(std::string(parent_path(location.path)));
  const auto name = os::SafeName::make(last_component(location.path));
  if (!own || !parent || !name) return false;
  const auto there = parent->info(*name);
  return there && *there && (*there)->id == own->id;
}

}  // namespace

Result<HomeLocation> Runtime::location() {
  if (!place_->location) place_->location = HF_TRY(locate_home(place_->option, place_->env));
  return *place_->location;
}

Result<const Home*> Runtime::home() {
  if (!place_->home) place_->home.emplace(HF_TRY(Home::open_or_create(HF_TRY(location()), clock_)));
  return &*place_->home;
}

Result<const Home*> Runtime::find_home() {
  if (!place_->home) {
    std::optional<Home> found = HF_TRY(Home::find(HF_TRY(location())));
    if (!found) return nullptr;
    place_->home.emplace(*std::move(found));
  }
  return &*place_->home;
}

Result<std::optional<os::Dir>> Runtime::find_part(HomePart part) {
  const Home* const found = HF_TRY(find_home());
  if (found == nullptr) return std::nullopt;
  return found->find_part(part);
}

Result<const session::SessionStore*> Runtime::sessions() {
  if (!sessions_) sessions_.emplace(HF_TRY(HF_TRY(home())->open_part(HomePart::kSessions)));
  return &*sessions_;
}

Result<const session::SessionStore*> Runtime::find_sessions() {
  if (!sessions_) {
    std::optional<os::Dir> found = HF_TRY(find_part(HomePart::kSessions));
    if (!found) return nullptr;
    sessions_.emplace(*std::move(found));
  }
  return &*sessions_;
}

lock::LocalBackend* Runtime::backend(os::Dir locks, lock::AnyFileSystem any) {
  if (!locks_) locks_ = std::move(locks);
  auto& backend = backends_.at(static_cast<std::size_t>(any));
  if (!backend) backend = std::make_unique<lock::LocalBackend>(*locks_, clock_, &events_, any);
  return backend.get();
}

Result<lock::LocalBackend*> Runtime::locks(lock::AnyFileSystem any) {
  if (const auto& known = backends_.at(static_cast<std::size_t>(any))) return known.get();
  return backend(HF_TRY(HF_TRY(home())->open_part(HomePart::kLocks)), any);
}

Result<lock::LocalBackend*> Runtime::find_locks(lock::AnyFileSystem any) {
  if (const auto& known = backends_.at(static_cast<std::size_t>(any))) return known.get();
  std::optional<os::Dir> found = HF_TRY(find_part(HomePart::kLocks));
  if (!found) return nullptr;
  return backend(*std::move(found), any);
}

Result<os::Dir> Runtime::steps() { return HF_TRY(home())->open_part(HomePart::kOnce); }
Result<os::Dir> Runtime::loops() { return HF_TRY(home())->open_part(HomePart::kLoops); }
Result<std::optional<os::Dir>> Runtime::find_steps() { return find_part(HomePart::kOnce); }
Result<std::optional<os::Dir>> Runtime::find_loops() { return find_part(HomePart::kLoops); }
Result<std::optional<os::Dir>> Runtime::find_journal() { return find_part(HomePart::kJournal); }

Result<std::unique_ptr<journal::Journal>> Runtime::open_journal(Traces traces) {
  const Home& known = *HF_TRY(home());
  if (is_in_its_place(known, *place_->location))
    return holdfast::open_journal(known, clock_, traces);
  const Home now = HF_TRY(Home::open_or_create(*place_->location, clock_));
  return holdfast::open_journal(now, clock_, traces);
}

BufferedEvents Runtime::own_events() {
  return BufferedEvents([this] { return open_journal(); });
}

Result<EventReceipt> Runtime::EventsIfAny::record(const Event& event) {
  if (!runtime_.home()) return EventReceipt{};
  return runtime_.events().record(event);
}

void Runtime::forget() {
  events_.forget();
  place_->home.reset();
}

std::unique_ptr<Runtime> Runtime::apart() const {
  return std::unique_ptr<Runtime>(new Runtime(place_, clock_));
}

}  // namespace holdfast::runtime
