// SPDX-License-Identifier: Apache-2.0
#include "cli/file/layers_exec.h"

#include <algorithm>
#include <charconv>

#include "cli/frame/command_line.h"
#include "cli/session/run_answer.h"
#include "format/json/json.h"
#include "os/machine/real_clock.h"
#include "os/spawn/env.h"
#include "os/spawn/exec.h"
#include "run/session/run_child.h"
#include "supervise/verdict.h"

namespace holdfast::cli {
namespace {

constexpr const char* kLayersStampCount = "HOLDFAST_LAYERS_COUNT";
constexpr const char* kDigest = "HOLDFAST_LAYERS_DIGEST";
constexpr const char* kSum = "HOLDFAST_LAYERS_SUM";

// FNV-1a: quick, and never the last word.
std::uint64_t hash_of(const std::string& word) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : word) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

// The sum over words h0, h1, … hn is h0·B^n + … + hn, modulo 2^64.
constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15U;

std::uint64_t sum_of(std::span<const std::string> words) {
  std::uint64_t sum = 0;
  for (const std::string& word : words) sum = sum * kBase + hash_of(word);
  return sum;
}

// The part that the first of `count` words has in their sum, for one of hash 1.
std::uint64_t weight_of_first(std::uint64_t count) {
  std::uint64_t weight = 1;
  for (std::uint64_t i = 1; i < count; ++i) weight *= kBase;
  return weight;
}

bool parse_number(const std::string& text, std::uint64_t& number) {
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

std::unexpected<Error> layers_stamp_cannot_tell(const char* layers_stamp_variable,
                                                std::string_view cause, std::string_view detail) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "verify the layers by",
               .subject = layers_stamp_variable,
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

Result<std::string> layers_stamp_variable(const char* name) {
  const auto value = os::env(name);
  if (value) return *value;
  return layers_stamp_cannot_tell(name, "no-stamp",
                                  "it is not set; was this started by `holdfast layers --exec`?");
}

}  // namespace

LayersStamp stamp_of(const file::LayerList& list) {
  return {.count = list.words.size(), .digest = list.digest, .sum = sum_of(list.words)};
}

bool same_list(const LayersStamp& one, const LayersStamp& other) {
  return one.count == other.count && one.digest == other.digest;
}

Json stamp_fields(const LayersStamp& stamp) {
  return {{"count", stamp.count}, {"digest", to_hex(stamp.digest)}};
}

std::vector<std::string> stamp_environment(const LayersStamp& stamp) {
  std::vector<std::string> all{std::string(kLayersStampCount) + "=" + std::to_string(stamp.count),
                               std::string(kDigest) + "=" + to_hex(stamp.digest)};
  if (stamp.sum) all.push_back(std::string(kSum) + "=" + std::to_string(*stamp.sum));
  return all;
}

Result<LayersStamp> stamp_of_environment() {
  const std::string count = HF_TRY(layers_stamp_variable(kLayersStampCount));
  const std::string hex = HF_TRY(layers_stamp_variable(kDigest));
  LayersStamp stamp;
  if (!parse_number(count, stamp.count)) {
    return layers_stamp_cannot_tell(kLayersStampCount, "bad-stamp",
                                    "'" + count + "' is not a number");
  }
  const auto digest = parse_digest_hex(hex);
  if (!digest)
    return layers_stamp_cannot_tell(kDigest, "bad-stamp", "'" + hex + "' is not a SHA-256");
  stamp.digest = *digest;
  if (const auto sum = os::env(kSum)) {
    if (!parse_number(*sum, stamp.sum.emplace())) {
      return layers_stamp_cannot_tell(kSum, "bad-stamp", "'" + *sum + "' is not a number");
    }
  }
  return stamp;
}

bool holds_stamped(std::span<const std::string> words, const LayersStamp& stamp) {
  if (stamp.count > words.size()) return false;
  const std::uint64_t first = weight_of_first(stamp.count);
  std::uint64_t sum = sum_of(words.first(stamp.count));
  for (std::size_t at = 0;; ++at) {
    const bool may_be = !stamp.sum || sum == *stamp.sum;
    if (may_be && file::digest_of_words(words.subspan(at, stamp.count)) == stamp.digest) {
      return true;
    }
    const std::size_t next = at + stamp.count;
    if (next == words.size()) return false;
    // An empty list has no first word to give up, and stands anywhere.
    if (stamp.count > 0) sum = (sum - hash_of(words[at]) * first) * kBase + hash_of(words[next]);
  }
}

Result<> check_placeholder(const std::vector<std::string>& command) {
  const auto found = std::ranges::count(command, kLayersPlaceholder);
  if (found == 1 && command.front() != kLayersPlaceholder) return {};
  return fail(usage_error("placeholder", "run", "'" + command.front() + "'",
                          found == 1
                              ? "the command itself cannot be {layers}"
                              : "the word {layers} must stand in it once, and stands there " +
                                    std::to_string(found) + " times"));
}

std::vector<std::string> with_layers(const std::vector<std::string>& command,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : command) {
    if (word == kLayersPlaceholder) {
      all.insert(all.end(), words.begin(), words.end());
    } else {
      all.push_back(word);
    }
  }
  return all;
}

Result<int> become_command(Context& context, const std::vector<std::string>& command,
                           const file::LayerList& list) {
  const std::vector<std::string> words = with_layers(command, list.words);
  const std::vector<std::string> stamp = stamp_environment(stamp_of(list));
  supervise::RunReport report;
  if (context.must_come_back()) {
    supervise::CallerHooks nobody;
    report = HF_TRY(run::run_child(os::RealClock(), {.argv = words, .environment = stamp}, nobody));
  } else {
    report.start_failure = HF_TRY(os::exec_command(words, stamp));
  }
  const supervise::Verdict verdict = supervise::judge(report);
  if (verdict.by == supervise::By::kCommand) context.code_is_the_commands();
  if (const auto error = run_error(report, verdict, command.front())) context.report(*error);
  return verdict.code;
}

Result<int> before_the_command(Context& context, const Error& error) {
  const ExitCode code = info(error.code).exit;
  const bool own =
      code == ExitCode::kInternal || code == ExitCode::kOsRefused || code == ExitCode::kIo;
  if (!own) return fail(error);
  context.report(error);
  return to_int(ExitCode::kWrapperFailed);
}

}  // namespace holdfast::cli
