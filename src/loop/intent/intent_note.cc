// SPDX-License-Identifier: Apache-2.0
#include "loop/intent/intent_note.h"

#include "format/json/json.h"

namespace holdfast::loop {

std::unexpected<Error> bad_intent_note() {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "read",
               .subject = "the note of an intent",
               .cause = "bad-intent-note",
               .detail = "it cannot be understood; nothing was started"});
}

std::string encode_intent_note(const IntentNote& note) {
  const Json json{{"run", to_hex(note.run)},
                  {"lock", bytes_to_json(note.lock)},
                  {"token", to_hex(note.token)},
                  {"store", bytes_to_json(note.store)}};
  return json.dump();
}

Result<IntentNote> decode_intent_note(std::string_view bytes) {
  const Json json = parse_json(bytes);
  if (!json.is_object()) return bad_intent_note();
  const std::string* run = json["run"].text();
  const std::string* token = json["token"].text();
  if (run == nullptr || token == nullptr) return bad_intent_note();
  const auto run_id = parse_id128(*run);
  const auto token_id = parse_id128(*token);
  auto lock = bytes_from_json(json["lock"]);
  auto store = bytes_from_json(json["store"]);
  if (!run_id || !token_id || !lock || !store) return bad_intent_note();
  return IntentNote{
      .run = *run_id, .lock = *std::move(lock), .token = *token_id, .store = *std::move(store)};
}

Result<std::unique_ptr<run::RunGuard>> intent_guard_of(std::string_view note, const Clock& clock,
                                                       lock::LocalBackend& locks,
                                                       const StoreOf& store_of) {
  IntentNote decoded = HF_TRY(decode_intent_note(note));
  auto store = HF_TRY(store_of(decoded.store));
  return std::make_unique<IntentGuard>(std::move(store), decoded.run,
                                       DriverLock{.clock = clock,
                                                  .locks = locks,
                                                  .label = std::move(decoded.lock),
                                                  .token = decoded.token});
}

}  // namespace holdfast::loop
