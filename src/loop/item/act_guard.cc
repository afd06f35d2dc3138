// SPDX-License-Identifier: Apache-2.0
#include "loop/item/act_guard.h"

#include "format/json/json.h"
#include "lock/grant/by_token.h"

namespace holdfast::loop {
namespace {

constexpr std::string_view kActNoteKind = "loop-act";

Error not_wanted(const std::string& item, std::string_view cause, std::string_view why) {
  return {.code = ErrorCode::kRefused,
          .op = "start an act of",
          .subject = "item '" + item + "'",
          .cause = std::string(cause),
          .detail = std::string(why) + "; nothing was started"};
}

std::unexpected<Error> bad_act_note() {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "read",
               .subject = "the note of an act of a loop",
               .cause = "bad-act-note",
               .detail = "it cannot be understood; nothing was started"});
}

// The guard keeps references to the log, and the log one to the directory.
class OwnActGuard final : public run::RunGuard {
 public:
  OwnActGuard(os::Dir dir, const Clock& clock, lock::LocalBackend& locks)
      : dir_(std::move(dir)), clock_(clock), locks_(locks) {}

  Result<> open(ActClaim claim) {
    auto log = ItemLog::open(dir_);
    if (!log) return fail(log.error());
    log_.emplace(*std::move(log));
    guard_.emplace(clock_, locks_, *log_, std::move(claim));
    return {};
  }

  Result<> admit(const std::optional<SessionRecord>& last) override { return guard_->admit(last); }
  void reserved(const SessionRecord& record) override { guard_->reserved(record); }
  void finished(const SessionRecord& record) override { guard_->finished(record); }
  [[nodiscard]] std::string note() const override { return guard_->note(); }

 private:
  os::Dir dir_;
  const Clock& clock_;
  lock::LocalBackend& locks_;
  std::optional<ItemLog> log_;
  std::optional<ActGuard> guard_;
};

}  // namespace

const std::optional<ItemAct>& intent_of(const ItemRecord& item, Channel channel) {
  return channel == Channel::kItem ? item.act : item.notice.act;
}
std::optional<ItemAct>& intent_of(ItemRecord& item, Channel channel) {
  return channel == Channel::kItem ? item.act : item.notice.act;
}

std::string encode_act_claim(const ActClaim& claim) {
  const Json note{{"kind", kActNoteKind},
                  {"directory", bytes_to_json(claim.directory)},
                  {"lock", bytes_to_json(claim.label)},
                  {"token", to_hex(claim.token)},
                  {"item", bytes_to_json(claim.item)},
                  {"notice", claim.channel == Channel::kNotice},
                  {"run", to_hex(claim.run)}};
  return note.dump();
}

Result<ActClaim> decode_act_claim(std::string_view note) {
  const Json json = parse_json(note);
  if (!json.is_object()) return bad_act_note();
  const std::string* kind = json["kind"].text();
  const std::string* token = json["token"].text();
  const std::string* run = json["run"].text();
  const auto notice = json["notice"].flag();
  if (kind == nullptr || *kind != kActNoteKind || token == nullptr || run == nullptr || !notice) {
    return bad_act_note();
  }
  auto directory = bytes_from_json(json["directory"]);
  auto label = bytes_from_json(json["lock"]);
  auto item = bytes_from_json(json["item"]);
  const auto token_id = parse_id128(*token);
  const auto run_id = parse_id128(*run);
  if (!directory || !label || !item || !token_id || !run_id) return bad_act_note();
  return ActClaim{.directory = *std::move(directory),
                  .label = *std::move(label),
                  .token = *token_id,
                  .item = *std::move(item),
                  .channel = *notice ? Channel::kNotice : Channel::kItem,
                  .run = *run_id};
}

Result<> ActGuard::admit(const std::optional<SessionRecord>& /*last*/) {
  if (leave_) HF_TRY(leave_());
  const lock::Place place =
      HF_TRY(locks_.place_of({.kind = lock::LockId::Kind::kNamed, .text = claim_.label}));
  const auto checked = lock::check_by_token(place, claim_.token, clock_);
  if (!checked) return fail(checked.error());
  if (checked->answer != lock::TokenAnswer::kDone) {
    return fail(not_wanted(claim_.item, "loop-lost", "the loop that wanted it is gone"));
  }
  return log_.change(os::Durability::kNone, [this](const ItemLog& now) { return begun(now); });
}

Result<std::vector<LoopLine>> ActGuard::begun(const ItemLog& now) {
  const ItemRecord* item = now.find(claim_.item);
  if (item == nullptr) {
    return fail(not_wanted(claim_.item, "intent-gone", "nobody intends it any more"));
  }
  ItemRecord changed = *item;
  std::optional<ItemAct>& intent = intent_of(changed, claim_.channel);
  if (!intent || intent->run != claim_.run) {
    return fail(not_wanted(claim_.item, "intent-gone", "nobody intends it any more"));
  }
  intent->begun = true;
  return std::vector<LoopLine>{std::move(changed)};
}

Result<std::unique_ptr<run::RunGuard>> act_guard_of(std::string_view note, const Clock& clock,
                                                    lock::LocalBackend& locks) {
  ActClaim claim = HF_TRY(decode_act_claim(note));
  auto dir = os::Dir::open(claim.directory);
  if (!dir) return fail(dir.error());
  auto guard = std::make_unique<OwnActGuard>(*std::move(dir), clock, locks);
  HF_TRY(guard->open(std::move(claim)));
  return guard;
}

}  // namespace holdfast::loop
