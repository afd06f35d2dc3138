// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/frame.h"

#include <algorithm>
#include <array>

#include "base/budget.h"
#include "base/cause.h"
#include "base/path_text.h"
#include "cli/flock/flock_personality.h"
#include "cli/frame/command_line.h"
#include "cli/frame/console.h"
#include "cli/frame/frame_context.h"
#include "cli/frame/parse.h"
#include "cli/help/brief.h"
#include "cli/help/help.h"
#include "cli/hook/hook_run.h"

namespace holdfast::cli {
namespace {

constexpr std::array kPersonalities{
    Personality{"flock", &run_flock},
};

// The entry for argv[0], or nullptr.
const Personality* find_personality(std::span<const Personality> table, std::string_view argv0) {
  std::string_view name = last_component(argv0);
  if (name.ends_with(".exe")) name.remove_suffix(4);
  const auto found = std::ranges::find(table, name, &Personality::program);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Personality> personalities() { return kPersonalities; }

namespace {

// No parser and no JSON library: this is the start-up that is measured.
int show_version(Console& console, OutputMode mode) {
  constexpr std::string_view kText = "holdfast " HOLDFAST_VERSION "\n";
  constexpr std::string_view kDocument =
      "{\"ok\":true,\"code\":0,\"program\":\"holdfast\",\"version\":\"" HOLDFAST_VERSION "\"}\n";
  const auto written =
      console.write(os::Stream::kOut, mode == OutputMode::kJson ? kDocument : kText);
  if (written) return to_int(ExitCode::kDone);
  if (written.error().cause != cause::kEpipe) render_error(console, written.error());
  return to_int(ExitCode::kIo);
}

class Frame {
 public:
  Frame(Console& console, const Clock& clock, const Program& program,
        const std::vector<std::string>& argv)
      : console_(console),
        clock_(clock),
        program_(program),
        line_(cut_at_dashes(argv)),
        begun_(clock.mono()) {
    take_color();
  }

  // A line that was not read to its end is a hook's all the same where it says so.
  int run() {
    const int code = act();
    return answered_ || !line_.mentions_hook() ? code : hook_status(code);
  }

  int refuse(const Error& error) {
    const int code = say_refused(error);
    return line_.mentions_hook() ? hook_status(code) : code;
  }

 private:
  int act() {
    const auto leading = read_leading(line_.words);
    if (!leading) return usage(leading.error());
    const CommonOptions common = common_as_far_as_known(*leading);
    if (leading->version) return show_version(console_, common.mode);
    const auto rest = std::span(std::as_const(line_.words)).subspan(leading->command_at);
    if (rest.empty()) return leading->help ? help(common, {}) : nothing_typed();
    const auto found = find_command(program_.table, rest, dashes());
    if (!found) return usage(found.error());
    if (found->spec == nullptr) return group_alone(common, *found->group);
    return run_command(*found, leading->command_at);
  }

  int say_refused(const Error& error) {
    const auto leading = read_leading(line_.words);
    if (!leading) return answer(fail(error), Role::kPlain);
    const auto rest = std::span(std::as_const(line_.words)).subspan(leading->command_at);
    if (rest.empty()) return answer(fail(error), Role::kPlain);
    const auto found = find_command(program_.table, rest, dashes());
    if (!found || found->spec == nullptr) return answer(fail(error), Role::kPlain);
    drop_command_words(*found, leading->command_at);
    return answer(fail(error), role_of(*found->spec));
  }

  // Before the line is parsed, so that what is wrong with it is said in the color that it asks for.
  void take_color() {
    const auto wish = line_.color();
    console_.color = wish == "always"  ? ColorWish::kAlways
                     : wish == "never" ? ColorWish::kNever
                                       : ColorWish::kAuto;
  }

  using Role = FrameContext::Role;

  static Role role_of(const CommandSpec& spec) {
    return is_wrapper(spec.trailing) ? Role::kWrapper : Role::kPlain;
  }

  [[nodiscard]] Dashes dashes() const { return line_.has_dashes ? Dashes::kTyped : Dashes::kNone; }

  [[nodiscard]] CommonOptions common_as_far_as_known(const Leading& leading) const {
    CommonOptions common;
    common.help = leading.help;
    if (line_.mentions_json()) common.mode = OutputMode::kJson;
    return common;
  }

  // For a line that was not parsed to the end.
  int answer(const Result<int>& outcome, Role role) {
    CommonOptions common;
    if (line_.mentions_json()) common.mode = OutputMode::kJson;
    common.hook.on = line_.mentions_hook();
    return FrameContext(console_, clock_, common).finish(outcome, role);
  }

  int usage(const Error& error) { return answer(fail(error), Role::kPlain); }

  int help(const CommonOptions& common, std::span<const std::string> words) {
    FrameContext context(console_, clock_, common);
    const auto page = find_page(program_.table, words);
    if (!page) return context.finish(fail(page.error()));
    if (line_.mentions_whole_help()) {
      show_page(context, *page);
      return context.finish(to_int(ExitCode::kDone));
    }
    const auto brief = brief_help(program_.table, words, context);
    if (!brief) return context.finish(fail(brief.error()));
    context.print(*brief);
    context.emit(Json{{"topic", page->name}, {"text", *brief}});
    return context.finish(to_int(ExitCode::kDone));
  }

  // A usage error that shows what could be typed; with --json it is the error document alone.
  int incomplete(const std::string& subject, const std::string& what_to_type) {
    const Error error = usage_error("missing-command", "run", subject,
                                    "a command is missing; see `" + subject + " --help`");
    if (line_.mentions_json()) return usage(error);
    const auto written = console_.write(os::Stream::kErr, what_to_type);
    static_cast<void>(written);  // as in console.h
    return to_int(ExitCode::kUsage);
  }

  int nothing_typed() { return incomplete("holdfast", short_usage()); }

  int group_alone(const CommonOptions& common, const GroupEntry& group) {
    const std::string word(group.word);
    const bool asked = std::ranges::any_of(line_.words, [](const std::string& w) {
      return w == "--help" || (w.starts_with('-') && !w.starts_with("--") && w.contains('h'));
    });
    if (asked) return help(common, std::span(&word, 1));
    std::string lines = "usage: holdfast " + word + " COMMAND [ARGUMENT...]\n";
    for (const CommandSpec* spec : program_.table.members(group)) {
      lines += "       holdfast " + std::string(spec->name) + "\n";
    }
    return incomplete("holdfast " + word, lines);
  }

  // From here on the line ends where the user's command begins.
  void drop_command_words(const FoundCommand& found, std::size_t at) {
    const auto first = line_.words.begin() + static_cast<std::ptrdiff_t>(at);
    line_.words.erase(first, first + static_cast<std::ptrdiff_t>(found.words));
    cut_at_command(*found.spec, line_);
  }

  int run_command(const FoundCommand& found, std::size_t at) {
    drop_command_words(found, at);
    take_color();
    const auto parsed = parse_command(*found.spec, line_);
    if (!parsed) return answer(fail(parsed.error()), role_of(*found.spec));
    if (parsed->common.help) {
      const std::vector<std::string> words{std::string(found.spec->name)};
      return help(parsed->common, words);
    }
    if (parsed->common.version) return show_version(console_, parsed->common.mode);
    if (parsed->common.budget) set_budget(begun_, *parsed->common.budget);
    FrameContext context(console_, clock_, parsed->common);
    if (parsed->common.hook.on) return run_hook(context, *found.spec, *parsed);
    return context.finish(found.spec->run(context, parsed->args), role_of(*found.spec));
  }

  int run_hook(FrameContext& context, const CommandSpec& spec, const ParsedCommand& parsed) {
    HookRun hook(parsed.common, context.runtime(), spec.name);
    const Result<> begun = hook.begin();
    context.finish(begun ? spec.run(context, parsed.args) : fail(begun.error()), role_of(spec));
    answered_ = true;
    return hook.end(console_, context.answered());
  }

  Console& console_;
  const Clock& clock_;
  const Program& program_;
  CommandLine line_;
  MonoTime begun_;
  bool answered_ = false;  // in the host's own words
};

// Whose words begin where: `flock …`, or `holdfast flock …`.
struct Acting {
  const Personality* personality = nullptr;
  std::size_t from = 0;
};

Acting personality_of(const Program& program, const std::vector<std::string>& argv) {
  if (argv.empty()) return {};
  if (const auto* found = find_personality(program.personalities, argv[0]))
    return {.personality = found};
  if (argv.size() < 2) return {};
  const auto found = std::ranges::find(program.personalities, argv[1], &Personality::program);
  if (found == program.personalities.end()) return {};
  return {.personality = &*found, .from = 1};
}

}  // namespace

bool acts_as_another(const Program& program, const std::vector<std::string>& argv) {
  return personality_of(program, argv).personality != nullptr;
}

int run_frame(Console& console, const Clock& clock, const Program& program,
              const std::vector<std::string>& argv) {
  const Acting acting = personality_of(program, argv);
  if (acting.personality != nullptr) {
    const auto words = argv.begin() + static_cast<std::ptrdiff_t>(acting.from);
    return acting.personality->run(console, {words, argv.end()});
  }
  return Frame(console, clock, program, argv).run();
}

int refuse_to_start(Console& console, const Clock& clock, const Program& program,
                    const std::vector<std::string>& argv, const Error& error) {
  return Frame(console, clock, program, argv).refuse(error);
}

}  // namespace holdfast::cli
