// SPDX-License-Identifier: Apache-2.0
#include "cli/frame_context.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/printable.h"
#include "cli/colour.h"
#include "cli/json_document.h"
#include "cli/render_error.h"

namespace holdfast::cli {
namespace {

Progress::Show show_progress(const Console& console, const CommonOptions& options) {
  const bool wanted = options.mode == OutputMode::kText &&
                      options.verbosity == Verbosity::kNormal &&
                      console.is_terminal(os::Stream::kErr);
  return wanted ? Progress::Show::kYes : Progress::Show::kNo;
}

int before_the_command(ExitCode code) {
  const bool own =
      code == ExitCode::kInternal || code == ExitCode::kOsRefused || code == ExitCode::kIo;
  return to_int(own ? ExitCode::kWrapperFailed : code);
}

}  // namespace

FrameContext::FrameContext(Console& console, const Clock& clock, CommonOptions options)
    : console_(console),
      options_(std::move(options)),
      progress_(console, clock, show_progress(console, options_)) {}

FrameContext::~FrameContext() = default;

void FrameContext::print(std::string_view text) {
  if (!json()) out_ += text;
}

void FrameContext::emit(const Json& fields) {
  if (json()) fields_ = std::make_unique<Json>(fields);
}

void FrameContext::note(std::string_view line) {
  if (options_.verbosity == Verbosity::kQuiet) return;
  progress_.clear();
  write_diagnostic(console_, printable(line));
}

Result<> FrameContext::flush() {
  if (out_.empty()) return {};
  progress_.clear();
  return console_.write(os::Stream::kOut, std::exchange(out_, {}));
}

void FrameContext::progress(std::string_view what, std::uint64_t done, std::uint64_t total) {
  progress_.update(what, done, total);
}

std::optional<int> FrameContext::columns() const {
  if (json()) return std::nullopt;
  return console_.columns(os::Stream::kOut);
}

std::string FrameContext::paint(Paint paint, std::string_view text) const {
  if (json() || !colour_wanted(console_, os::Stream::kOut)) return std::string(text);
  return painted(paint, text);
}

int FrameContext::finish(const Result<int>& outcome, Role role) {
  const bool not_run = role == Role::kWrapper && !outcome;
  const auto exit_code = [&](ErrorCode code) {
    const ExitCode exit = info(code).exit;
    return not_run ? before_the_command(exit) : to_int(exit);
  };
  progress_.clear();
  const int code = outcome ? *outcome : exit_code(outcome.error().code);
  const Error* error = reported_ ? &*reported_ : nullptr;
  if (!outcome) error = &outcome.error();
  if (json()) out_ = json_document(code, fields_ ? *fields_ : Json::object(), error);
  const Result<> written = flush();
  if (error != nullptr && (!json() || !written)) render_error(console_, *error);
  if (written) return code;
  if (written.error().cause != "epipe") render_error(console_, written.error());
  return exit_code(ErrorCode::kIo);
}

}  // namespace holdfast::cli
