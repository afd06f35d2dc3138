// SPDX-License-Identifier: Apache-2.0
#include "cli/profile/profile_explain.h"

#include "base/printable.h"
#include "cli/file/layers_assembly.h"
#include "file/ensure/ensure.h"
#include "file/replace/target.h"
#include "format/file/owner_text.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

std::string profile_explain_words_of(const std::vector<std::string>& words) {
  std::string text = layers_text(words, LayerFormat::kArgs);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// As it would be typed; the commands of a profile are known as words, lines as the line.
std::string profile_explain_command_of(const std::vector<std::string>& words, bool is_line) {
  return is_line ? words.back() : profile_explain_words_of(words);
}

std::string typed(const ProfileOption& option) {
  const std::string dashed = "--" + option.option;
  return option.value.empty() ? dashed : dashed + " " + profile_explain_words_of({option.value});
}

std::string profile_explain_line_of(const ManifestEntry& entry, const file::Finding& finding) {
  switch (finding.found) {
    case file::Found::kMissing:
      return "missing " + entry.path;
    case file::Found::kPresent:
      break;
    case file::Found::kDrift: {
      const file::Difference& first = finding.differences.front();
      return "drift " + entry.path + ": " + first.what + " " + first.is + ", declared " +
             first.declared;
    }
    case file::Found::kRefused:
      return "refused " + entry.path + ": " + finding.refusal->detail;
  }
  return "present " + entry.path;
}

// Drift of a pinned entry is put right, as `ensure` does.
bool stops(const ManifestEntry& entry, const file::Finding& finding) {
  return finding.found == file::Found::kRefused ||
         (finding.found == file::Found::kDrift && !entry.pin);
}

Error trouble_of(const ManifestEntry& entry, const file::Finding& finding) {
  if (finding.refusal) return *finding.refusal;
  return {.code = ErrorCode::kNotFound,
          .op = "find as declared",
          .subject = entry.path,
          .cause = "drift",
          .detail = profile_explain_line_of(entry, finding)};
}

void explain_ensure(const ProfilePlan& plan, ProfileExplained& all) {
  if (plan.ensure.empty()) return;
  const std::string subject = plan.profile.manifest.value_or(plan.profile.place);
  ProfileStep step{.step = "ensure", .subject = subject};
  const file::EnsurePlan looked = plan_ensure(plan.ensure, file::Purpose::kLook, plan.trust);
  for (std::size_t i = 0; i < plan.ensure.size(); ++i) {
    const ManifestEntry& entry = plan.ensure[i];
    const file::Finding& finding = looked.findings[i];
    step.says.push_back(entry.path + ": " + std::string(to_text(entry.type)) + ", mode " +
                        format_mode(entry.mode) + (entry.pin ? ", pinned" : ""));
    if (finding.found != file::Found::kPresent)
      step.found.push_back(profile_explain_line_of(entry, finding));
    if (stops(entry, finding)) {
      all.trouble.push_back(in_step("ensure", subject, trouble_of(entry, finding)));
    }
  }
  all.steps.push_back(std::move(step));
}

// Links are followed, as by the step itself; what cannot be looked at is not called missing.
bool is_there(const std::string& path) {
  const auto at = file::locate(path, file::Links::kFollow);
  if (!at) return at.error().code != ErrorCode::kNotFound;
  const auto file = at->dir.open_file(at->name, os::Access::kRead);
  return !file || file->has_value();
}

void explain_refresh(const ProfilePlan& plan, ProfileExplained& all) {
  for (const ProfileRefresh& refresh : plan.profile.refresh) {
    ProfileStep step{.step = "refresh", .subject = refresh.path};
    if (!refresh.command.empty()) {
      step.says.push_back("with what this prints, in " + plan.directory + ": " +
                          profile_explain_words_of(refresh.command));
    }
    for (const ProfileOption& option : refresh.options) {
      step.says.push_back(typed(option));
      if (option.option != "from" || is_there(option.value)) continue;
      step.found.push_back("missing " + option.value);
    }
    all.steps.push_back(std::move(step));
  }
}

void explain_layers(const ProfilePlan& plan, ProfileExplained& all) {
  if (!plan.layers) return;
  ProfileStep step{.step = "layers", .subject = *plan.profile.layers};
  for (const Layer& layer : plan.layers->layers) {
    std::string line = layer.name + ": ";
    line += layer.command.empty() ? profile_explain_words_of(layer.args)
                                  : "what this prints: " + profile_explain_words_of(layer.command);
    if (!layer.when.empty())
      line += ", if this exits with 0: " + profile_explain_words_of(layer.when);
    step.says.push_back(std::move(line));
  }
  all.steps.push_back(std::move(step));
}

void explain_rest(const ProfilePlan& plan, ProfileExplained& all) {
  const Profile& profile = plan.profile;
  if (profile.gc) {
    ProfileStep step{.step = "gc", .subject = "orphaned sessions; what fails is a warning"};
    for (const ProfileOption& option : profile.gc->options) step.says.push_back(typed(option));
    all.steps.push_back(std::move(step));
  }
  ProfileStep run{.step = "run",
                  .subject = profile_explain_command_of(profile.command, profile.is_line)};
  for (const ProfileOption& option : profile.run) {
    if (option.option == "lock") {
      all.steps.push_back({.step = "lock", .subject = option.value});
    } else {
      run.says.push_back(typed(option));
    }
  }
  all.steps.push_back(std::move(run));
}

Json strings(const std::vector<std::string>& lines) {
  Json list = Json::array();
  for (const std::string& line : lines) list.push_back(printable(line));
  return list;
}

}  // namespace

ProfileExplained explain_profile(const ProfilePlan& plan) {
  ProfileExplained all;
  explain_ensure(plan, all);
  explain_refresh(plan, all);
  explain_layers(plan, all);
  explain_rest(plan, all);
  return all;
}

std::string explained_text(const ProfilePlan& plan, const ProfileExplained& explained) {
  std::string text =
      "session " + printable(plan.profile.name) + " of " + printable(plan.path) + "\n";
  for (std::size_t i = 0; i < explained.steps.size(); ++i) {
    const ProfileStep& step = explained.steps[i];
    text += "  " + std::to_string(i + 1) + ". " + step.step + " " + printable(step.subject) + "\n";
    for (const std::string& line : step.says) text += "       " + printable(line) + "\n";
    for (const std::string& line : step.found) text += "     ! " + printable(line) + "\n";
  }
  return text;
}

Json explained_json(const ProfilePlan& plan, const ProfileExplained& explained) {
  Json steps = Json::array();
  for (const ProfileStep& step : explained.steps) {
    steps.push_back({{"step", step.step},
                     {"subject", printable(step.subject)},
                     {"says", strings(step.says)},
                     {"found", strings(step.found)}});
  }
  return {{"name", plan.profile.name}, {"steps", std::move(steps)}};
}

}  // namespace holdfast::cli
