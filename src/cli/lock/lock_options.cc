// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_options.h"

#include <algorithm>
#include <array>

#include "base/units.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "format/text/name_escape.h"
#include "lock/grant/slots.h"
#include "os/file/stat_without_times.h"
#include "os/spawn/env.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

constexpr Duration kDefaultWait = std::chrono::seconds(10);
// A third of it must be long enough for a renewal on a busy machine.
constexpr Duration kLockOptionsShortestTtl = std::chrono::milliseconds(100);
constexpr Duration kShortestWatch = std::chrono::seconds(1);

Error which_lock(std::string detail) {
  return usage_error("which-lock", "tell", "which lock is meant", std::move(detail));
}

// nullopt: for ever.
Result<std::optional<Duration>> wait_value(const Args& args) {
  const auto text = args.text("wait");
  if (args.flag("no-wait")) {
    if (!text) return Duration::zero();
    return fail(usage_error("conflict", "use", "--no-wait", "together with --wait; give one"));
  }
  if (!text) return kDefaultWait;
  if (*text == "forever") return std::nullopt;
  const auto wait = parse_duration(*text);
  if (wait) return *wait;
  return bad_value("wait", *text, "it is a duration such as 10s, or `forever`");
}

lock::OnExpired on_expired_value(const Args& args) {
  const std::string word = args.text("on-expired").value_or("wait");
  if (word == "take") return lock::OnExpired::kTake;
  if (word == "kill") return lock::OnExpired::kKill;
  return word == "replace" ? lock::OnExpired::kReplace : lock::OnExpired::kWait;
}

LockYields yields_value(const Args& args) {
  const std::string word = args.text("yields").value_or(args.text("ttl") ? "take" : "wait");
  if (word == "take") return LockYields::kTake;
  return word == "kill" ? LockYields::kKill : LockYields::kWait;
}

Result<> check_lease(const Args& args, const lock::LockId& id) {
  const auto ttl = args.duration("ttl");
  if (ttl && *ttl < kLockOptionsShortestTtl) {
    return bad_value("ttl", *args.text("ttl"), "a lease lasts at least 100ms");
  }
  if (args.integer("slots") && args.flag("shared")) {
    return fail(usage_error("conflict", "use", "--slots", "a slot is not shared"));
  }
  if (ttl && args.flag("shared")) {
    return fail(usage_error("conflict", "use", "--ttl", "a shared lock has no lease"));
  }
  if (!ttl && args.text("yields")) {
    return fail(usage_error("conflict", "use", "--yields",
                            "without --ttl: only a lease can run out and be yielded"));
  }
  const bool file = id.kind == lock::LockId::Kind::kFile;
  if (!file && args.text("presume-dead")) {
    return fail(usage_error("conflict", "use", "--presume-dead",
                            "it is about holders of the lock of a file (--file)"));
  }
  if (const auto patience = args.duration("presume-dead"); patience && *patience < kShortestWatch)
    return bad_value("presume-dead", *args.text("presume-dead"),
                     "a holder must be seen for at least 1s");
  if (!file && args.text("on-expired") == "replace") {
    return bad_value("on-expired", "replace", "only the lock of a file (--file) can be replaced");
  }
  return {};
}

}  // namespace

Result<lock::LockId> lock_id(const Args& args) {
  const auto file = args.text("file");
  const auto path = args.text("path");
  const bool named = !args.arguments().empty();
  if ((file || path) && named) {
    return fail(which_lock("NAME and " + std::string(file ? "--file" : "--path") +
                           " were both given; give one"));
  }
  if (file) return lock::LockId{.kind = lock::LockId::Kind::kFile, .text = *file};
  if (path) return lock::LockId{.kind = lock::LockId::Kind::kPath, .text = *path};
  if (!named) return fail(which_lock("NAME is missing, or --file PATH"));
  lock::LockId id = lock::lock_called(args.arguments().front());
  if (id.kind == lock::LockId::Kind::kNamed) HF_TRY(escape_name(id.text, platform_name_rules()));
  return id;
}

Result<std::uint32_t> slots_value(const Args& args, const lock::LockId& id) {
  const auto slots = args.integer("slots");
  if (!slots) return 0U;
  if (id.kind != lock::LockId::Kind::kNamed)
    return fail(usage_error("conflict", "use", "--slots", "only a named lock has slots"));
  if (*slots >= 1 && *slots <= lock::kMostSlots) return static_cast<std::uint32_t>(*slots);
  return bad_value("slots", std::to_string(*slots),
                   "1 to " + std::to_string(lock::kMostSlots) + " slots");
}

void note_file_of_that_name(Context& context, const lock::LockId& id) {
  const bool like_a_lock = std::ranges::any_of(
      std::array{".lock", ".lck", ".pid"}, [&](const char* end) { return id.text.ends_with(end); });
  if (id.kind != lock::LockId::Kind::kNamed || !like_a_lock) return;
  const auto found = os::id_of_path(id.text);
  if (!found || !*found) return;
  context.note("'" + id.text + "' is the name of a lock, and not the file of that name; ./" +
               id.text + " locks the file");
}

lock::AnyFileSystem any_file_system(const Args& args) {
  return args.flag("allow-fs") ? lock::AnyFileSystem::kAllow : lock::AnyFileSystem::kRefuse;
}

Result<lock::AcquireRequest> acquire_request(const Args& args, const lock::LockId& id) {
  HF_TRY(check_lease(args, id));
  lock::AcquireRequest request;
  request.mode = args.flag("shared") ? LockMode::kShared : LockMode::kExclusive;
  request.wait = HF_TRY(wait_value(args));
  request.ttl = args.duration("ttl");
  request.yields = yields_value(args);
  request.on_expired = on_expired_value(args);
  request.presume_dead = args.duration("presume-dead");
  request.trust_kernel = args.text("trust") == "kernel";
  request.reason = args.text("reason").value_or("");
  return request;
}

void flush_events(Context& context) { runtime::flush_or_warn(context.runtime().events(), context); }

Result<run::FailOpenReasons> fail_open_reasons(const Args& args) {
  const auto text = args.text("fail-open");
  if (!text) return run::FailOpenReasons{};
  auto reasons = run::parse_fail_open(*text);
  if (reasons) return *std::move(reasons);
  return bad_value("fail-open", reasons.error(),
                   "the reasons are timeout, guard-timeout, unknown, eacces, erofs, enospc, eio, "
                   "emfile, enolck, unsupported-fs and backend-down, separated by commas; or "
                   "any");
}

}  // namespace holdfast::cli
