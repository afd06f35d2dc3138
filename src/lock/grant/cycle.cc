// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: a noted waiter is killed, the next one under the same token takes the
// byte NOTE and is stopped before it writes. The old note then has a live owner and a current
// token, and leads where nobody waits. So a note is written under GUARD, together with taking its
// byte, and read under GUARD, together with the record whose token it must have.
//
// The other one: A waits for what B holds, B for what A holds, and both begin at once. Each writes
// its notes and then follows, so whoever writes last sees the other's. If that one is not the
// youngest it says nothing; the youngest sees both notes at its next look.
#include "lock/grant/cycle.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "lock/ledger/layout.h"
#include "lock/ledger/readers.h"
#include "os/lock/byte_lock.h"
#include "os/process/pid.h"

namespace holdfast::lock {
namespace {

constexpr Duration kFirstLook = std::chrono::seconds(1);
constexpr std::size_t kMaxSteps = 64;

// Notes name a ledger by its path alone; the two kinds have names of their own (lock/ledger/place.h).
ChainEntry::Kind kind_of(std::string_view ledger_path) {
  return ledger_path.ends_with(".hold") ? ChainEntry::Kind::kFile : ChainEntry::Kind::kNamed;
}

Result<std::optional<Ledger>> open_ledger(const std::string& path) {
  const Place place = HF_TRY(place_of_ledger(kind_of(path), path));
  return Ledger::open(place);
}

// Does `token` hold this lock? Under GUARD.
Result<bool> holds(const Ledger& ledger, const Guard& guard, const Id128& token) {
  const LockRecord record = HF_TRY(ledger.read(guard)).record;
  if (record.state != LockState::kHeld || token == Id128{}) return false;
  if (record.mode == LockMode::kExclusive) return record.token == token;
  const std::vector<Reader> readers = HF_TRY(list_readers(ledger));
  return std::ranges::any_of(
      readers, [&](const Reader& reader) { return reader.alive && reader.facts.token == token; });
}

// False: the token does not hold it, or another process under the same token waits as well, and is
// noted.
Result<bool> put(const WaitNote& note, Ledger& ledger) {
  const Guard guard = HF_TRY(ledger.guard());
  if (!HF_TRY(holds(ledger, guard, note.token))) return false;
  if (!HF_TRY(os::try_lock_byte(ledger.file(), kNoteByte, os::Share::kExclusive))) return false;
  std::array<char, kNoteBytes> bytes{};
  encode(note, bytes.data());
  HF_TRY(ledger.file().write_at(kNoteOffset, {bytes.data(), bytes.size()}));
  return true;
}

// What the holder of this lock waits for.
Result<std::optional<WaitNote>> note_in(const Ledger& ledger) {
  const Guard guard = HF_TRY(ledger.guard());
  if (!HF_TRY(os::is_byte_taken(ledger.file(), kNoteByte, os::Share::kExclusive)))
    return std::nullopt;
  std::string bytes(kNoteBytes, '\0');
  bytes.resize(HF_TRY(ledger.file().read_into(kNoteOffset, bytes)));
  auto note = HF_TRY(decode_wait_note(bytes));
  if (!note || !HF_TRY(holds(ledger, guard, note->token))) return std::nullopt;
  return note;
}

}  // namespace

CycleWatch::CycleWatch(const LockChain& chain, const Place& wanted, const Clock& clock)
    : chain_(chain),
      wanted_(wanted),
      clock_(clock),
      begun_(clock.mono()),
      since_(clock.boot()),
      pause_(kFirstLook),
      notes_(chain.size()) {}

CycleWatch::~CycleWatch() {
  for (auto& ledger : notes_) {
    if (!ledger) continue;
    const std::array<char, kNoteBytes> zeros{};
    const auto cleared = ledger->file().write_at(kNoteOffset, {zeros.data(), zeros.size()});
    static_cast<void>(cleared);  // without its byte the note means nothing
    const auto unlocked = os::unlock_byte(ledger->file(), kNoteByte);
    static_cast<void>(unlocked);  // it goes with the description, which is closed next
  }
}

std::optional<MonoTime> CycleWatch::next_look() const {
  // Who holds nothing is waited for by nobody.
  if (chain_.empty()) return std::nullopt;
  return begun_ + pause_;
}

std::optional<std::vector<std::string>> CycleWatch::look() {
  while (begun_ + pause_ <= clock_.mono()) pause_ *= 2;
  for (std::size_t entry = 0; entry < chain_.size(); ++entry) {
    if (notes_[entry]) continue;
    const auto written = write_note(entry);
    static_cast<void>(written);  // then this lock's waiting is not seen by others
  }
  auto found = follow();
  return found ? std::move(*found) : std::nullopt;
}

Result<> CycleWatch::write_note(std::size_t entry) {
  auto ledger = HF_TRY(open_ledger(chain_[entry].ledger));
  if (!ledger) return {};
  const WaitNote note{.token = chain_[entry].token,
                      .since_boot_ns = since_.time_since_epoch().count(),
                      .pid = os::number(os::own_pid()),
                      .label = wanted_.label,
                      .ledger = wanted_.ledger_path};
  if (!HF_TRY(put(note, *ledger))) return {};
  notes_[entry].emplace(std::move(*ledger));
  return {};
}

Result<bool> CycleWatch::is_ours(const std::string& path, const Ledger& ledger) const {
  for (const ChainEntry& entry : chain_) {
    if (entry.ledger != path) continue;
    const Guard guard = HF_TRY(ledger.guard());
    if (HF_TRY(holds(ledger, guard, entry.token))) return true;
  }
  return false;
}

Result<std::optional<std::vector<std::string>>> CycleWatch::follow() const {
  const auto age_of = [](std::int64_t since, std::int32_t pid) { return std::tuple(since, pid); };
  const auto own_age = age_of(since_.time_since_epoch().count(), os::number(os::own_pid()));
  std::vector<std::string> labels{wanted_.label};
  std::vector<std::string> paths{wanted_.ledger_path};
  bool youngest = true;
  while (paths.size() <= kMaxSteps) {
    const auto ledger = HF_TRY(open_ledger(paths.back()));
    if (!ledger) return std::nullopt;
    if (HF_TRY(is_ours(paths.back(), *ledger))) {
      if (youngest) return labels;
      return std::nullopt;
    }
    const auto note = HF_TRY(note_in(*ledger));
    // A circle that we are not in is for those who are.
    if (!note || std::ranges::find(paths, note->ledger) != paths.end()) return std::nullopt;
    youngest = youngest && age_of(note->since_boot_ns, note->pid) < own_age;
    labels.push_back(note->label);
    paths.push_back(note->ledger);
  }
  return std::nullopt;
}

}  // namespace holdfast::lock
