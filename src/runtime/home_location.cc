// SPDX-License-Identifier: Apache-2.0
#include "runtime/home_location.h"

#include <array>

#include "os/working_dir.h"

namespace holdfast {
namespace {

using Source = HomeLocation::Source;

std::unexpected<Error> refused(ErrorCode code, std::string_view subject, std::string_view cause,
                               std::string_view detail) {
  return fail({.code = code,
               .op = "locate the home",
               .subject = std::string(subject),
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

// Drops trailing "/" and "/." so that the last component is the directory itself: opening "link/"
// or "link/." would follow the link that we want to refuse.
std::string trimmed(std::string path) {
  for (;;) {
    if (path.size() > 1 && path.ends_with('/')) {
      path.pop_back();
    } else if (path.ends_with("/.")) {
      path.resize(path.size() - 1);
    } else {
      return path;
    }
  }
}

Result<HomeLocation> checked(std::string path, Source source) {
  if (path.find('\0') != std::string::npos) {
    return refused(ErrorCode::kUsage, to_text(source), "bad-home", "the path holds a NUL byte");
  }
  path = trimmed(std::move(path));
  if (path == "/" || path.ends_with("/..")) {
    return refused(ErrorCode::kUsage, path, "bad-home",
                   "name the directory itself, not the root and not by a final '..'");
  }
  return HomeLocation{.path = std::move(path), .source = source};
}

}  // namespace

std::string_view to_text(Source source) {
  constexpr std::array<std::string_view, 4> kTexts{
      "--home", "$HOLDFAST_HOME", "$XDG_STATE_HOME/holdfast", "$HOME/.local/state/holdfast"};
  return kTexts[static_cast<std::size_t>(source)];
}

Result<HomeLocation> locate_home(const std::optional<std::string>& option, const EnvLookup& env) {
  if (option) {
    if (option->empty()) {
      return refused(ErrorCode::kUsage, "--home", "bad-home", "the path is empty");
    }
    if (option->starts_with('/')) return checked(*option, Source::kOption);
    return checked(HF_TRY(os::working_dir()) + "/" + *option, Source::kOption);
  }

  struct Candidate {
    const char* variable;
    std::string_view suffix;
    Source source;
  };
  constexpr std::array kCandidates{
      Candidate{"HOLDFAST_HOME", "", Source::kVariable},
      Candidate{"XDG_STATE_HOME", "/holdfast", Source::kXdgState},
      Candidate{"HOME", "/.local/state/holdfast", Source::kUserHome},
  };
  for (const Candidate& candidate : kCandidates) {
    const auto value = env(candidate.variable);
    if (!value) continue;
    if (value->empty() && candidate.source != Source::kVariable) continue;
    if (value->empty()) {
      return refused(
          ErrorCode::kConfig, "$HOLDFAST_HOME", "empty-home",
          "it is set but empty, which would quietly mean another home; set it or unset it");
    }
    if (!value->starts_with('/')) {
      return refused(ErrorCode::kConfig, "$" + std::string(candidate.variable), "relative-home",
                     "it holds the relative path '" + *value +
                         "', which means another place in every directory; make it absolute");
    }
    return checked(*value + std::string(candidate.suffix), candidate.source);
  }
  return refused(
      ErrorCode::kConfig, "", "no-home",
      "neither --home nor HOLDFAST_HOME, XDG_STATE_HOME or HOME is set; name a directory "
      "with --home or HOLDFAST_HOME");
}

}  // namespace holdfast
