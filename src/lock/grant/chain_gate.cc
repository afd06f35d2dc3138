// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the holder is stopped past its lease.
//
//   A   holds the lock until its deadline, writes its new content to a stage
//   A   asks "is it still mine?": yes
//   A   is stopped; the deadline passes
//   B   takes the lock, reads the file, changes it, goes on from there
//   A   is continued and renames: B's change is gone
//
// Between A's question and A's rename nobody may be granted the lock. A grant is a change of the
// record under GUARD, so A holds GUARD from the question until after the rename. Where A is stopped
// in between, B waits for GUARD, and gives up after a second (`guard-timeout`): it does not get the
// lock.
//
// Another one: the ledger is replaced between our open and our GUARD. We would ask a file that
// excludes nobody. So the name is compared under GUARD, and where it leads elsewhere all is begun
// anew.
#include "lock/grant/chain_gate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cause.h"
#include "lock/ledger/ledger.h"
#include "lock/ledger/place.h"
#include "lock/ledger/readers.h"

namespace holdfast::lock {
namespace {

constexpr int kMostTries = 8;

Error chain_gate_refused(const Place& place, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "change a file under the lock",
          .subject = place.label,
          .cause = std::string(cause),
          .detail = std::string(detail) + "; this change was not made"};
}

Error cannot_tell(const ChainEntry& entry, std::string_view cause, std::string_view why) {
  return {.code = ErrorCode::kCannotTell,
          .op = "find the lock that this runs under,",
          .subject = entry.ledger,
          .cause = std::string(cause),
          .detail = std::string(why) + "; this change was not made"};
}

// One ledger, and what the chain says about it. GUARD goes before the file that it is taken on.
struct Link {
  Place place;
  Ledger ledger;
  std::vector<const ChainEntry*> entries{};
  std::optional<Guard> guard{};
};

// In the order in which the GUARDs are taken; a Link stays where it is, so its guard may refer to
// its ledger.
using Links = std::map<os::FileId, Link>;

class ChainPassage final : public CommitGate::Passage {
 public:
  explicit ChainPassage(Links links) : links_(std::move(links)) {}

  Result<> take_guards() {
    for (auto& [id, link] : links_) link.guard.emplace(HF_TRY(link.ledger.guard()));
    return {};
  }

  // False: a name leads to another file by now.
  [[nodiscard]] Result<bool> is_named() const {
    for (const auto& [id, link] : links_) {
      if (!HF_TRY(link.ledger.is_named(link.place))) return false;
    }
    return true;
  }

  [[nodiscard]] Result<> check_tokens() const {
    for (const auto& [id, link] : links_) {
      const NewestRecord now = HF_TRY(link.ledger.read(*link.guard));
      for (const ChainEntry* entry : link.entries) HF_TRY(check(link, now.record, *entry));
    }
    return {};
  }

 private:
  static Result<> check(const Link& link, const LockRecord& record, const ChainEntry& entry) {
    const bool held = record.state == LockState::kHeld;
    if (held && record.mode == LockMode::kShared) {
      for (const Reader& reader : HF_TRY(list_readers(link.ledger))) {
        if (reader.facts.token != entry.token) continue;
        return fail(chain_gate_refused(link.place, "shared-token",
                                       "it is held shared, and a reader changes nothing"));
      }
    }
    const bool ours = held && record.mode == LockMode::kExclusive && record.token == entry.token &&
                      (entry.fence == 0 || record.generation == entry.fence);
    if (ours) return {};
    return fail(chain_gate_refused(
        link.place, "lock-lost", held ? "somebody else holds it by now" : "it is no longer held"));
  }

  Links links_;
};

// What lies there is not a ledger of ours, as far as one can see.
bool is_foreign(const Error& error) {
  return error.code == ErrorCode::kRefused || error.cause == cause::kNotADirectory ||
         error.cause == cause::kEnotdir || error.cause == cause::kNoLedger ||
         error.code == ErrorCode::kCorrupt;
}

template <typename T>
Result<T> explained(const ChainEntry& entry, Result<T> found) {
  if (found) return found;
  const Error& error = found.error();
  if (error.code == ErrorCode::kNotFound) {
    return fail(cannot_tell(entry, "chain-ledger-missing", "there is no such directory"));
  }
  if (is_foreign(error)) return fail(cannot_tell(entry, "chain-ledger-foreign", error.detail));
  return found;
}

Result<Links> open_links(const LockChain& chain) {
  Links links;
  for (const ChainEntry& entry : chain) {
    Place place = HF_TRY(explained(entry, place_of_ledger(entry.kind, entry.ledger)));
    auto ledger = HF_TRY(explained(entry, Ledger::open(place)));
    if (!ledger) {
      return fail(cannot_tell(entry, "chain-ledger-missing",
                              "there is no such file: who holds the lock cannot be told"));
    }
    const os::FileId id = ledger->id();
    const auto [at, fresh] =
        links.try_emplace(id, Link{.place = std::move(place), .ledger = std::move(*ledger)});
    at->second.entries.push_back(&entry);
  }
  return links;
}

LockChain without_repeats(const LockChain& chain) {
  LockChain once;
  for (const ChainEntry& entry : chain) {
    if (std::ranges::find(once, entry) == once.end()) once.push_back(entry);
  }
  return once;
}

}  // namespace

ChainGate::ChainGate(const LockChain& chain) : chain_(without_repeats(chain)) {}

Result<holdfast::Passage> ChainGate::enter() {
  for (int tries = 0; tries < kMostTries; ++tries) {
    auto passage = std::make_unique<ChainPassage>(HF_TRY(open_links(chain_)));
    HF_TRY(passage->take_guards());
    if (!HF_TRY(passage->is_named())) continue;
    HF_TRY(passage->check_tokens());
    return passage;
  }
  return fail(cannot_tell(chain_.front(), "chain-ledger-vanishes",
                          "somebody keeps replacing the ledgers of the chain"));
}

std::shared_ptr<CommitGate> gate_of(LockChain chain) {
  if (chain.empty()) return nullptr;
  return std::make_shared<ChainGate>(std::move(chain));
}

}  // namespace holdfast::lock
