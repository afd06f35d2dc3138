// SPDX-License-Identifier: Apache-2.0
#include "gc/survey.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

#include "format/text/name_escape.h"
#include "gc/facts.h"
#include "os/dir/read_beneath.h"
#include "os/file/staged_file.h"
#include "os/signal/signals.h"
#include "session/record/layout.h"
#include "session/workspace/below.h"
#include "session/workspace/workspace.h"

namespace holdfast::gc {
namespace {

using Read = os::BeneathRead::Kind;

constexpr std::size_t kRecordRoom = std::size_t{64} * 1024;
constexpr std::size_t kSurveyWorthAThread = 512;
constexpr std::size_t kChunk = 64;

struct Names {
  std::vector<std::string> files;  // of directories, and of what may be one
  std::vector<std::string> stages;
  std::vector<std::string> strange;
};

// The trash, the list of session/workspace/outside.h, and the file of holds (os/dir/dir_names.h).
bool is_ours(std::string_view entry) {
  return entry == session::trash_dir_name().text() ||
         entry == session::outside_list_name().text() ||
         entry == session::workspace_holds_name().text();
}

Result<Names> list(const os::Dir& sessions) {
  Names names;
  HF_TRY(sessions.each_entry([&](std::string_view entry, os::FileType type) {
    if (os::is_stage_name(entry)) {
      names.stages.emplace_back(entry);
    } else if (entry.starts_with('.')) {
      if (!is_ours(entry)) names.strange.emplace_back(entry);  // no workspace's name begins so
    } else if (type == os::FileType::kDirectory || type == os::FileType::kUnknown) {
      names.files.emplace_back(entry);
    } else {
      names.strange.emplace_back(entry);
    }
    return os::Visit::kContinue;
  }));
  std::ranges::sort(names.files);
  std::ranges::sort(names.strange);
  return names;
}

void set_unknown(Candidate& candidate, std::string reason) {
  candidate.decision = {.fate = Fate::kUnknown, .reason = std::move(reason)};
}

class Reader {
 public:
  Reader(const Services& services, const Options& options, const Result<ClaimOn>& claims,
         Survey& survey)
      : services_(services),
        options_(options),
        claims_(claims),
        survey_(survey),
        wall_(services.clock.wall()) {}

  // False: nothing is there any more.
  bool read(const std::string& file, std::vector<char>& room, Candidate& candidate) {
    const auto name = unescape_name(file, platform_name_rules());
    candidate.name = name ? *name : file;
    if (!name) {
      set_unknown(candidate, "not-a-session");
      return true;
    }
    const auto found = os::read_own_beneath(dir(), file.c_str(), workspace_file(), room);
    switch (found.kind) {
      case Read::kRead:
        read_workspace(file, {room.data(), found.size}, candidate);
        return true;
      case Read::kNotThere:
        return read_run_alone(file, candidate);
      case Read::kRefused:
        // A link or a file in the place of the directory, or of the record.
        set_unknown(candidate, is_directory(file) ? std::string(found.cause) : "not-a-session");
        return true;
      case Read::kFailed:
        set_unknown(candidate, "unreadable");
        return true;
    }
    return true;
  }

 private:
  [[nodiscard]] const os::Dir& dir() const { return services_.sessions.dir(); }
  static const char* workspace_file() { return session::workspace_record_name().text().data(); }
  static const char* run_file() { return session::record_name().text().data(); }

  [[nodiscard]] bool is_directory(const std::string& file) const {
    const auto name = os::SafeName::make(file);
    if (!name) return false;
    const auto info = dir().info(*name);
    return info && *info && (*info)->type == os::FileType::kDirectory;
  }

  [[nodiscard]] bool has_run(const std::string& file) const {
    std::array<char, 1> byte;
    const auto found = os::read_own_beneath(dir(), file.c_str(), run_file(), byte);
    return found.kind != Read::kNotThere;
  }

  // What is to be thought of the run in a workspace's directory.
  struct Found {
    RunFacts run{};
    Claim claim{};
  };
  [[nodiscard]] Found run_and_claim_of(const std::string& name) const {
    const auto found = services_.sessions.find(name);
    if (!found || !*found) return {.run = {.now = RunNow::kUnknown}};
    return {.run = facts_of_run(**found, survey_.now, wall_), .claim = claim_on(claims_, **found)};
  }

  void read_workspace(const std::string& file, std::string_view bytes, Candidate& candidate) {
    auto record = bytes.size() < kRecordRoom ? decode_workspace_record(bytes, file)
                                             : read_long(candidate.name);
    if (!record || record->name != candidate.name) {
      set_unknown(candidate, record ? "corrupt-record" : unreadable(record.error()));
      return;
    }
    candidate.id = record->id;
    candidate.change = record->change;
    candidate.created = record->created;
    candidate.outside = record->outside;
    const Found found = has_run(file) ? run_and_claim_of(candidate.name) : Found{};
    candidate.facts = facts_of(*record, found.run, found.claim, survey_.now,
                               !record->attached.empty() && works_below(candidate.name));
    candidate.ttl_held = record->ttl && is_ttl_held(*record, found.run);
    candidate.decision = decide(candidate.facts, options_.grace, nullptr);
    if (!record->authority) return;
    if (record->authority->kind == AuthorityKind::kProcess) {
      const auto verdict = authority::judge(*record->authority, candidate.name, nullptr);
      candidate.decision = decide(candidate.facts, options_.grace, &verdict);
      return;
    }
    // Also of those that stay anyway: that they are seen is what the brake goes by.
    candidate.authority_id = std::move(record->authority->id);
    candidate.authority_full_id = std::move(record->authority->full_id);
    candidate.authority = shared(*std::move(record->authority));
  }

  // What cannot be told is somebody. Of a workspace that nobody is on record for, the proof asks.
  [[nodiscard]] bool works_below(const std::string& name) const {
    const auto found = services_.sessions.find(name);
    if (!found || !*found) return true;
    const auto below = session::BelowNow::look((*found)->dir());
    return !below || below->anybody();
  }

  Result<WorkspaceRecord> read_long(const std::string& name) {
    auto record = HF_TRY(session::read_workspace(services_.sessions, name));
    if (record) return *std::move(record);
    return fail({.code = ErrorCode::kNotFound, .cause = "gone"});
  }

  bool read_run_alone(const std::string& file, Candidate& candidate) {
    if (!has_run(file)) {
      if (!is_directory(file)) return false;
      set_unknown(candidate, "no-record");
      return true;
    }
    candidate.run = true;
    if (!options_.runs) return false;
    const auto [look, claim] = run_and_claim_of(candidate.name);
    candidate.id = look.id;
    candidate.change = look.number;
    candidate.created = look.created;
    candidate.facts.age = look.age;
    candidate.decision = decide_run(look.now, claim, look.age, options_.grace);
    return true;
  }

  std::uint32_t shared(Authority authority) {
    authority.id.clear();
    authority.full_id.clear();
    const std::lock_guard<std::mutex> held(mutex_);
    auto& known = survey_.authorities;
    const auto at = std::ranges::find(known, authority) - known.begin();
    if (static_cast<std::size_t>(at) == known.size()) known.push_back(std::move(authority));
    return static_cast<std::uint32_t>(at);
  }

  const Services& services_;
  const Options& options_;
  const Result<ClaimOn>& claims_;
  Survey& survey_;
  WallTime wall_;
  std::mutex mutex_;
};

// The candidates of `files`, in their order; two threads where that is worth it.
std::vector<Candidate> read_all(Reader& reader, const std::vector<std::string>& files,
                                const Services& services) {
  std::vector<Candidate> all(files.size());
  std::vector<char> there(files.size(), 0);
  std::atomic<std::size_t> next = 0;
  const auto work = [&](bool tells) {
    std::vector<char> room(kRecordRoom);
    for (;;) {
      const std::size_t from = next.fetch_add(kChunk);
      if (from >= files.size() || services.stop.raised()) return;
      const std::size_t to = std::min(from + kChunk, files.size());
      for (std::size_t i = from; i < to; ++i) {
        there[i] = reader.read(files[i], room, all[i]) ? 1 : 0;
      }
      if (tells) services.tell("looking at workspaces", to, files.size());
    }
  };
  std::optional<std::thread> second;
  if (files.size() >= kSurveyWorthAThread) {
    const os::SignalHold no_signals;  // they are for the caller; the thread inherits it
    try {
      second.emplace(work, false);
    } catch (const std::system_error&) {
      // No thread to be had: one does all of it.
    }
  }
  work(true);
  if (second) second->join();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (there[i] == 0) continue;
    if (kept != i) all[kept] = std::move(all[i]);
    ++kept;
  }
  all.resize(kept);
  return all;
}

}  // namespace

Authority Survey::authority_of(const Candidate& candidate) const {
  Authority authority = authorities[*candidate.authority];
  authority.id = candidate.authority_id;
  authority.full_id = candidate.authority_full_id;
  return authority;
}

Result<Survey> survey(const Services& services, const Options& options) {
  Survey survey;
  survey.now = HF_TRY(session::boot_moment_now());
  Names names = HF_TRY(list(services.sessions.dir()));
  const Result<ClaimOn> claims = services.claims();
  if (!claims) survey.claims_error = claims.error();
  Reader reader(services, options, claims, survey);
  survey.sessions = read_all(reader, names.files, services);
  for (std::string& name : names.strange) {
    Candidate candidate{.name = std::move(name)};
    set_unknown(candidate, "not-a-session");
    survey.sessions.push_back(std::move(candidate));
  }
  survey.stages = std::move(names.stages);
  return survey;
}

}  // namespace holdfast::gc
