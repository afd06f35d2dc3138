// SPDX-License-Identifier: Apache-2.0
//
// Files that are replaced whole: replace, update, blocks.
#include "capi/file.h"

#include <memory>
#include <string>
#include <utility>

#include "base/cause.h"
#include "base/digest.h"
#include "capi/boundary.h"
#include "capi/handles.h"
#include "file/block/block_edit.h"
#include "file/block/block_record.h"
#include "file/replace/content_check.h"
#include "file/replace/old_file.h"
#include "file/replace/replaced_record.h"
#include "format/file/block_document.h"
#include "format/file/block_marker.h"
#include "lock/grant/chain_gate.h"
#include "os/machine/sha256.h"

using namespace holdfast;        // NOLINT(google-build-using-namespace): the names of C are global
using namespace holdfast::capi;  // NOLINT(google-build-using-namespace)

struct holdfast_output {
  std::string content;
};

namespace holdfast::capi {
namespace {

constexpr std::uint32_t kMostBackupsKept = 1000;
constexpr std::uint32_t kFileFlags = HOLDFAST_LINKS_FOLLOW | HOLDFAST_LINKS_REPLACE |
                                     HOLDFAST_ALLOW_EMPTY | HOLDFAST_BREAK_HARDLINKS |
                                     HOLDFAST_FOREIGN_OWNER | HOLDFAST_TRUST_DIR |
                                     HOLDFAST_IN_PLACE | HOLDFAST_CREATE | HOLDFAST_OVERWRITE_EDITS;

Result<file::Links> links_of(std::uint32_t flags) {
  const bool follow = (flags & HOLDFAST_LINKS_FOLLOW) != 0;
  const bool replace = (flags & HOLDFAST_LINKS_REPLACE) != 0;
  if (follow && replace)
    return fail(wrong_call("conflict", "flags", "links are followed or replaced, not both"));
  if (follow) return file::Links::kFollow;
  return replace ? file::Links::kReplace : file::Links::kRefuse;
}

Result<std::optional<file::Expectation>> expectation_of(const char* hash) {
  if (hash == nullptr) return std::nullopt;
  const std::string_view text(hash);
  if (text == "absent") return file::Expectation{};
  if (const auto digest = parse_digest_hex(text)) return file::Expectation{.digest = *digest};
  return fail(wrong_call("bad-value", "if_hash", "it is 64 hexadecimal digits, or `absent`"));
}

Result<std::vector<file::Check>> checks_of(const char* word) {
  std::vector<file::Check> checks;
  if (word == nullptr) return checks;
  auto check = file::built_in_check(word);
  if (!check) return fail(wrong_call("bad-value", "check", "it is json, jsonl, toml or utf8"));
  checks.push_back(*std::move(check));
  return checks;
}

}  // namespace

Result<LockChain> chain_under(const Origin& origin, holdfast_lock* fence) {
  LockChain chain = origin.chain();
  if (fence == nullptr) return chain;
  const HeldSeat held = HF_TRY(held_seat(fence, "change a file under"));
  chain.push_back(held.lock->chain_entry());
  return chain;
}

Result<Change> change_of(State& state, const char* path, const holdfast_file_options* given,
                         std::string_view what) {
  HF_TRY(require(path, "path"));
  if (*path == 0) return fail(wrong_call("bad-value", "path", "it is empty"));
  const holdfast_file_options own = HF_TRY(read_struct(given, "options"));
  HF_TRY(known_flags(own.flags, kFileFlags));
  if (own.durability < HOLDFAST_DURABLE_FULL || own.durability > HOLDFAST_DURABLE_NONE)
    return fail(wrong_call("bad-value", "durability", "it is one of HOLDFAST_DURABLE_…"));
  if (own.mode < 0 || own.mode > 07777)
    return fail(wrong_call("bad-value", "mode", "it is between 1 and 07777"));
  if (own.backups > kMostBackupsKept)
    return fail(wrong_call("bad-value", "backups", "at most 1000 can be kept"));
  Change change{.path = path, .flags = own.flags, .runtime = state.for_call()};
  file::ReplaceOptions& options = change.options;
  options.durability = static_cast<file::Durability>(2 - own.durability);
  options.links = HF_TRY(links_of(own.flags));
  if ((own.flags & HOLDFAST_TRUST_DIR) != 0) options.trust = file::TrustDir::kAny;
  if ((own.flags & HOLDFAST_BREAK_HARDLINKS) != 0) options.hard_links = file::HardLinks::kBreak;
  if ((own.flags & HOLDFAST_FOREIGN_OWNER) != 0)
    options.foreign_owner = file::ForeignOwner::kAccept;
  if ((own.flags & HOLDFAST_IN_PLACE) != 0) options.how = file::How::kInPlace;
  if ((own.flags & HOLDFAST_ALLOW_EMPTY) != 0) options.min_bytes = 0;
  if (own.mode != 0) options.mode = static_cast<std::uint32_t>(own.mode);
  options.backups = own.backups;
  options.expect = HF_TRY(expectation_of(own.if_hash));
  options.checks = HF_TRY(checks_of(own.check));
  const auto wait = HF_TRY(wait_of(own.wait_ms, options.wait, "wait_ms"));
  options.wait = wait.value_or(lock::kLongestTime);
  change.locks.path = change.path;
  change.locks.links = options.links;
  change.locks.lock.wait = options.wait;
  change.locks.lock.any = lock::AnyFileSystem::kAllow;
  change.locks.lock.chain = HF_TRY(chain_under(state.origin, own.fence));
  change.locks.lock.command = state.command() + ": " + std::string(what);
  options.gate = lock::gate_of(change.locks.lock.chain);
  return change;
}

void use_its_lock(Change& change) {
  change.options.edit_lock = run::edit_lock(*change.runtime, change.locks);
}

void record(State& state, const Event& event) {
  const auto recorded = state.events.record(event);
  static_cast<void>(recorded);  // the work is done all the same
}

Result<int> tell_replaced(State& state, const std::string& path, const Result<file::Replaced>& done,
                          Json fields, char** json) {
  if (!done) {
    const bool told = done.error().code != ErrorCode::kUsage &&
                      done.error().code != ErrorCode::kNotFound &&
                      file::changed_nothing(done.error());
    if (told) record(state, file::refused_event(path, done.error()));
    return fail(done.error());
  }
  if (done->changed) record(state, file::replaced_event(path, *done));
  fields.update(file::replaced_fields(*done));
  const int code = done->trouble ? to_int(info(done->trouble->code).exit) : HOLDFAST_OK;
  give_document(json, code, std::move(fields));
  if (done->trouble) return fail(*done->trouble);
  return HOLDFAST_OK;
}

namespace {

// Somebody who takes no lock may change the file while the new content is made.
constexpr int kMostUpdateTries = 16;

Error absent(const std::string& path) {
  return {.code = ErrorCode::kNotFound,
          .op = "update",
          .subject = path,
          .cause = cause::kEnoent,
          .detail = "there is no such file (HOLDFAST_CREATE begins with an empty one)"};
}

Result<file::Replaced> update_once(const Change& change, holdfast_update_fn make, void* user) {
  file::Replacement job = HF_TRY(file::Replacement::begin(change.path, change.options));
  const bool create = (change.flags & HOLDFAST_CREATE) != 0;
  if (!job.exists() && !create) return fail(absent(job.path()));
  const std::string old = job.exists() ? HF_TRY(job.read_old(file::kLargestText)) : std::string();
  holdfast_output out;
  if (const int stopped = make(user, old.data(), old.size(), &out); stopped != 0) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "update",
                 .subject = job.path(),
                 .cause = "stopped",
                 .detail = "the function that makes the new content answered " +
                           std::to_string(stopped) + "; nothing was changed"});
  }
  HF_TRY(job.write(out.content));
  return job.commit();
}

Result<file::Replaced> update(Change& change, holdfast_update_fn make, void* user) {
  change.options.base = file::Base::kAsRead;
  const file::Target target =
      HF_TRY(file::locate(change.path, change.options.links, change.options.trust));
  // What is refused anyway leaves no lock file behind.
  if (const auto seen = HF_TRY(file::look_at(target, change.options.links))) {
    HF_TRY(file::check_old(target, *seen, change.options));
  } else if ((change.flags & HOLDFAST_CREATE) == 0) {
    return fail(absent(target.path));
  }
  const auto locks = HF_TRY(
      run::FileLocks::take(*change.runtime, change.locks, target, run::FileLocks::Absent::kMake));
  change.options.gate = locks->gate();
  for (int tries = 1;; ++tries) {
    auto done = update_once(change, make, user);
    const bool again = !done && done.error().cause == cause::kChangedMeanwhile;
    if (!again || tries >= kMostUpdateTries) return done;
  }
}

Result<file::BlockFile> block_of(const char* path, const char* id) {
  HF_TRY(require(path, "path"));
  HF_TRY(require(id, "id"));
  file::BlockFile block{.path = path, .syntax = {}, .id = id};
  block.syntax = HF_TRY(block_syntax(block.path, std::nullopt, std::nullopt));
  HF_TRY(check_block_id(block.syntax, block.id));
  return block;
}

Result<int> tell_block(State& state, const file::BlockFile& block,
                       const Result<file::BlockEdited>& done, const file::BlockReport& report,
                       char** json) {
  if (!done) {
    if (const auto event = file::block_refused_event(block, done.error(), report))
      record(state, *event);
    return fail(done.error());
  }
  if (done->block_changed) record(state, file::block_changed_event(block, *done));
  const auto& trouble = done->file.trouble;
  give_document(json, trouble ? to_int(info(trouble->code).exit) : HOLDFAST_OK,
                file::replaced_fields(done->file));
  if (trouble) return fail(*trouble);
  return HOLDFAST_OK;
}

Edits edits_of(const Change& change) {
  return (change.flags & HOLDFAST_OVERWRITE_EDITS) != 0 ? Edits::kOverwrite : Edits::kRefuse;
}

Result<std::string_view> content_of(const void* content, std::size_t length) {
  if (length != 0) HF_TRY(require(content, "content"));
  return std::string_view(static_cast<const char*>(content), length);
}

}  // namespace
}  // namespace holdfast::capi

int holdfast_replace(holdfast_home* hf, const char* path, const void* content, size_t length,
                     const holdfast_file_options* options, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    const std::string_view bytes = HF_TRY(content_of(content, length));
    Change change = HF_TRY(change_of(*state, path, options, "replace"));
    use_its_lock(change);
    const auto done = file::replace(change.path, bytes, change.options);
    return tell_replaced(*state, change.path, done, Json::object(), json);
  });
}

int holdfast_output_write(holdfast_output* out, const void* bytes, size_t length) {
  return answer(nullptr, [&]() -> Result<int> {
    HF_TRY(require(out, "out"));
    out->content += HF_TRY(content_of(bytes, length));
    return HOLDFAST_OK;
  });
}

int holdfast_update(holdfast_home* hf, const char* path, holdfast_update_fn make, void* user,
                    const holdfast_file_options* options, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    if (make == nullptr) return fail(wrong_call("null-argument", "make", "it is NULL"));
    Change change = HF_TRY(change_of(*state, path, options, "update"));
    const auto done = update(change, make, user);
    return tell_replaced(*state, change.path, done, Json::object(), json);
  });
}

int holdfast_block_put(holdfast_home* hf, const char* path, const char* id, const void* content,
                       size_t length, const holdfast_file_options* options, char** json,
                       holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    const std::string_view bytes = HF_TRY(content_of(content, length));
    const file::BlockFile block = HF_TRY(block_of(path, id));
    Change change = HF_TRY(change_of(*state, path, options, "block put"));
    use_its_lock(change);
    const bool create = (change.flags & HOLDFAST_CREATE) != 0;
    const BlockPut put{.content = bytes,
                       .allow_empty = (change.flags & HOLDFAST_ALLOW_EMPTY) != 0,
                       .edits = edits_of(change)};
    file::BlockReport report;
    const auto done = file::put_block_in(
        block, put, create ? file::Absent::kCreate : file::Absent::kRefuse, change.options, report);
    return tell_block(*state, block, done, report, json);
  });
}

int holdfast_block_remove(holdfast_home* hf, const char* path, const char* id,
                          const holdfast_file_options* options, char** json,
                          holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    const file::BlockFile block = HF_TRY(block_of(path, id));
    Change change = HF_TRY(change_of(*state, path, options, "block remove"));
    use_its_lock(change);
    file::BlockReport report;
    const auto done = file::remove_block_from(block, edits_of(change), change.options, report);
    return tell_block(*state, block, done, report, json);
  });
}

int holdfast_block_get(holdfast_home* hf, const char* path, const char* id, char** content,
                       size_t* length, holdfast_error* error) {
  if (content != nullptr) *content = nullptr;
  return answer(error, [&]() -> Result<int> {
    HF_TRY(state_of(hf));
    HF_TRY(require(content, "content"));
    const file::BlockFile block = HF_TRY(block_of(path, id));
    const std::string text = HF_TRY(file::read_text(block.path, file::Links::kRefuse));
    std::size_t line = 0;
    const std::string_view found = HF_TRY(get_block(
        text, {.path = block.path, .syntax = block.syntax, .id = block.id, .hash = os::sha256},
        line));
    *content = give(found);
    if (length != nullptr) *length = found.size();
    return HOLDFAST_OK;
  });
}

int holdfast_block_list(holdfast_home* hf, const char* path, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    HF_TRY(state_of(hf));
    HF_TRY(require(path, "path"));
    HF_TRY(require(json, "json"));
    const BlockSyntax syntax = HF_TRY(block_syntax(path, std::nullopt, std::nullopt));
    const std::string text = HF_TRY(file::read_text(path, file::Links::kRefuse));
    const BlockDocument document = HF_TRY(parse_blocks(text, syntax, path));
    Json blocks = Json::array();
    for (const ManagedBlock& managed : document.blocks) {
      blocks.push_back({{"id", managed.id},
                        {"begin", nullptr},
                        {"first_line", managed.first_line},
                        {"last_line", managed.last_line},
                        {"bytes", managed.content_end - managed.content},
                        {"edited", edited_inside(text, managed, os::sha256)}});
    }
    const bool whole = document.anomalies.empty();
    give_document(json, whole ? HOLDFAST_OK : HOLDFAST_CORRUPT, {{"blocks", std::move(blocks)}});
    if (whole) return HOLDFAST_OK;
    return fail(anomalies_error(path, document.anomalies));
  });
}
