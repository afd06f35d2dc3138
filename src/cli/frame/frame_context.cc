// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/frame_context.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/budget.h"
#include "base/cause.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/frame/console.h"
#include "cli/frame/context.h"
#include "cli/output/wrap.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "format/session/outcome.h"
#include "os/spawn/env.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

// The one document that --json prints: `ok` and `code` first, then `error` where something failed,
// then the command's own fields, in the order given, one line with a newline.
//
// Guarantee: it is always valid JSON in UTF-8; bytes that are not UTF-8 become U+FFFD, never a
// fault.
//
// `fields` is an object; its own `ok`, `code` and `error` are overruled.
std::string json_document(int code, const Json& fields, const Error* error) {
  Json document{{"ok", code == 0}, {"code", code}};
  if (error != nullptr) document["error"] = error_json(*error);
  const auto spelled = [](const Json& value) { return value.dump(); };
  // Spelled one by one: a list of a hundred thousand is not copied for it.
  std::string text = spelled(document);
  text.pop_back();
  for (const auto& [key, value] : fields.items()) {
    if (document.contains(key)) continue;
    text += "," + spelled(key) + ":";
    text += spelled(value);
  }
  return text + "}\n";
}

Progress::Show show_progress(const Console& console, const CommonOptions& options) {
  const bool wanted = options.mode == OutputMode::kText &&
                      options.verbosity == Verbosity::kNormal &&
                      console.is_terminal(os::Stream::kErr);
  return wanted ? Progress::Show::kYes : Progress::Show::kNo;
}

// Enough that a write costs little beside its lines, and little enough to be read at once.
constexpr std::size_t kStreamBytes = std::size_t{64} * 1024;

// A wait that was over with the budget, whichever part of the program waited.
void name_budget(Error& error, int code, const Clock& clock) {
  const auto end = budget_end();
  if (!end || code != to_int(ExitCode::kBusy) || error.cause == cause::kBudget) return;
  if (clock.mono() < *end) return;
  error.cause = cause::kBudget;
  error.detail += "; the time of --budget is used up";
}

}  // namespace

FrameContext::FrameContext(Console& console, const Clock& clock, CommonOptions options)
    : console_(console),
      options_(std::move(options)),
      runtime_(std::make_unique<runtime::Runtime>(options_.home, os::env, clock)),
      progress_(console, clock, show_progress(console, options_)) {}

FrameContext::~FrameContext() = default;

void FrameContext::clear_lines() {
  progress_.clear();
  if (const auto line = waiting_.lock()) line->clear();
}

void FrameContext::print(std::string_view text) {
  if (!json()) out_ += text;
}

void FrameContext::print_page(std::string_view text) {
  print(text);
  paged_ = !must_come_back();
}

void FrameContext::emit(const Json& fields) {
  if (json()) fields_ = std::make_unique<Json>(fields);
}

void FrameContext::note(std::string_view line) {
  if (options_.verbosity == Verbosity::kQuiet) return;
  clear_lines();
  write_diagnostic(console_, printable(line));
}

void FrameContext::warn(std::string_view line) {
  clear_lines();
  write_diagnostic(console_, printable(line));
}

Result<> FrameContext::flush() {
  if (out_fault_) return fail(*out_fault_);
  if (out_.empty()) return {};
  clear_lines();
  const bool shown = paged_ && !json() && console_.page(out_);
  const auto written = shown ? Result<>() : console_.write(os::Stream::kOut, out_);
  out_.clear();
  if (!written) out_fault_ = written.error();
  return written;
}

Result<> FrameContext::stream(std::string_view lines) {
  out_ += lines;
  return out_.size() < kStreamBytes ? Result<>() : flush();
}

Result<bool> FrameContext::reader_leaves(Duration limit) { return console_.reader_leaves(limit); }

void FrameContext::progress(std::string_view what, std::uint64_t done, std::uint64_t total) {
  progress_.update(what, done, total);
}

std::shared_ptr<void> FrameContext::waiting(std::string_view what) {
  constexpr std::size_t kForTheTime = 10;
  if (show_progress(console_, options_) == Progress::Show::kNo) return nullptr;
  const int columns = std::max(40, console_.columns(os::Stream::kErr).value_or(80));
  const std::string text = "waiting for " + printable(what);
  std::shared_ptr<os::WaitingLine> line =
      os::WaitingLine::show(cut_to(text, static_cast<std::size_t>(columns) - kForTheTime));
  waiting_ = line;
  return line;
}

std::optional<int> FrameContext::columns() const {
  if (json()) return std::nullopt;
  return console_.columns(os::Stream::kOut);
}

std::string FrameContext::paint(Paint paint, std::string_view text) const {
  if (json() || !colour_wanted(console_, os::Stream::kOut)) return std::string(text);
  return painted(paint, text);
}

// Where the hook's host shows nothing else, this is all that anybody sees.
void FrameContext::say_why(int code, const Error* error, bool shown) {
  if (!options_.hook.on || code == 0 || commands_own_ || shown) return;
  if (error != nullptr) return render_error(console_, *error);
  const auto* const known =
      std::ranges::find(kExitCodes, code, [](const ExitCodeInfo& one) { return to_int(one.code); });
  const bool named = known != kExitCodes.end();
  write_diagnostic(console_, "the answer is " + std::to_string(code) +
                                 (named ? ": " + std::string(known->meaning) : ""));
}

int FrameContext::answer(int code, const Error* error, bool commands_own) {
  answered_ = {.code = code, .commands_own = commands_own};
  if (error != nullptr && !commands_own) answered_.cause = error->cause;
  return code;
}

int FrameContext::finish(const Result<int>& outcome, Role role) {
  const bool not_run = role == Role::kWrapper && !outcome;
  const auto exit_code = [&](ErrorCode code) {
    return to_int(not_run ? code_before_start(code) : info(code).exit);
  };
  clear_lines();
  const int code = outcome ? *outcome : exit_code(outcome.error().code);
  if (!outcome) commands_own_ = false;
  if (!outcome) reported_ = outcome.error();
  if (reported_) name_budget(*reported_, code, runtime_->clock());
  const Error* const error = reported_ ? &*reported_ : nullptr;
  if (json() && !streaming_) out_.clear();
  if (json() && (!streaming_ || code != 0)) {
    out_ += json_document(code, fields_ ? *fields_ : Json::object(), error);
  }
  const Result<> written = flush();
  // The command has met it already, and what it says of it is told below.
  const bool same = error != nullptr && out_fault_ && error->op == out_fault_->op &&
                    error->subject == out_fault_->subject && error->cause == out_fault_->cause;
  const bool shown = error != nullptr && !same && (!json() || !written);
  if (shown) render_error(console_, *error);
  if (written) say_why(code, error, shown);
  if (written && after_answer_) std::exchange(after_answer_, {})();
  if (written) return answer(code, error, commands_own_);
  after_answer_ = {};
  Error unheard = same ? *error : written.error();
  // 74 says "unchanged" of what a command could not do; this one has done it.
  if (outcome && !same) unheard.detail += "; only the answer is lost, and what was done stands";
  if (unheard.cause != cause::kEpipe) render_error(console_, unheard);
  return answer(exit_code(ErrorCode::kIo), &unheard, false);
}

}  // namespace holdfast::cli
