// SPDX-License-Identifier: Apache-2.0
#include "format/loop/program_text.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/path_text.h"

namespace holdfast {
namespace {

enum class Form : std::uint8_t {
  kOptions,     // the value of an option is the text
  kShell,       // -c is a flag: the first operand is the text
  kEnv,         // NAME=VALUE before the command; -S is split into words
  kCmd,         // everything behind /c or /k
  kPowerShell,  // everything behind -Command
};

constexpr std::size_t kAny = 1000;

// Lists of names are separated by blanks, and begin and end with one.
struct Program {
  std::string_view names;
  std::string_view text{};       // short options with the text
  std::string_view value{};      // short options with another value
  std::string_view glued{};      // short options with a value in the same word, or none
  std::string_view ends{};       // short options behind which all is for others
  std::string_view long_text{};  // long options with the text
  std::size_t operands = 0;      // so many may stand before an option
  std::size_t text_operand = 0;  // this operand is the text, unless an option had it (kAny: each)
  std::string_view verb{};       // the first operand must be this
  bool one_dash = false;         // long options may have one dash
  bool through_dashes = false;   // `--` ends nothing
  Form form = Form::kOptions;
};

constexpr std::array kPrograms{
    Program{
        .names = " sh bash rbash dash ash ksh mksh lksh pdksh oksh zsh yash posh csh tcsh xonsh ",
        .text = "c",
        .value = "oO",
        .long_text = " command ",
        .form = Form::kShell},
    Program{.names = " fish nu elvish ",
            .text = "cC",
            .value = "doDp",
            .long_text = " command commands init-command execute "},
    Program{.names = " python pythonw pypy ipython jython micropython ",
            .text = "c",
            .value = "WXQ",
            .ends = "m"},
    Program{.names = " perl ", .text = "eEmM", .value = "I", .glued = "iCDFx"},
    Program{.names = " ruby jruby irb ", .text = "e", .value = "ICrE", .glued = "iKTxWF"},
    Program{.names = " node nodejs bun ",
            .text = "ep",
            .value = "rC",
            .long_text = " eval print print-eval "},
    Program{.names = " deno ", .text_operand = 2, .verb = "eval"},
    Program{.names = " php php-cli ",
            .text = "rBRE",
            .value = "cdfFtzSg",
            .long_text = " run process-begin process-code process-end "},
    Program{.names = " lua luajit texlua ", .text = "e", .value = "l"},
    Program{.names = " rscript littler ", .text = "e", .long_text = " eval "},
    Program{.names = " julia ", .text = "eE", .value = "JHL", .long_text = " eval print "},
    Program{.names = " elixir iex groovy osascript scala racket sbcl ghc ",
            .text = "e",
            .value = "l",
            .long_text = " eval execute expr "},
    Program{.names = " swipl ", .text = "gt"},
    Program{.names = " guile expect ", .text = "ce", .value = "lLf", .long_text = " command "},
    Program{
        .names = " erl emacs ", .long_text = " eval execute ", .operands = kAny, .one_dash = true},
    Program{.names = " gdb ",
            .long_text = " ex iex eval-command init-eval-command ",
            .operands = kAny,
            .one_dash = true},
    Program{.names = " awk gawk mawk nawk original-awk ",
            .text = "e",
            .value = "vFfEilW",
            .long_text = " source ",
            .text_operand = 1},
    Program{.names = " sed gsed ",
            .text = "e",
            .value = "fl",
            .glued = "i",
            .long_text = " expression ",
            .operands = kAny,
            .text_operand = 1},
    Program{.names = " make gmake ",
            .text = "E",
            .value = "CfIoW",
            .glued = "jl",
            .long_text = " eval ",
            .operands = kAny},
    Program{.names = " su runuser ",
            .text = "c",
            .value = "ugGsw",
            .long_text = " command session-command ",
            .operands = kAny,
            .through_dashes = true},
    Program{
        .names = " flock ", .text = "c", .value = "wE", .long_text = " command ", .operands = 1},
    Program{.names = " script scriptlive ",
            .text = "c",
            .value = "EIOBTmo",
            .glued = "t",
            .long_text = " command ",
            .operands = kAny},
    Program{.names = " sg ", .text = "c", .operands = 1, .text_operand = 2},
    Program{
        .names = " nix-shell ", .long_text = " run command ", .operands = kAny, .one_dash = true},
    Program{.names = " psql ",
            .text = "c",
            .value = "dfvUhpFPRLoT",
            .long_text = " command ",
            .operands = kAny},
    Program{.names = " mysql mariadb ",
            .text = "e",
            .value = "uhPDS",
            .glued = "p",
            .long_text = " execute ",
            .operands = kAny},
    Program{
        .names = " holdfast ",
        .long_text = " verify on-end on-failure on-success until progress check rescue to-command ",
        .operands = kAny},
    Program{.names = " env ",
            .text = "S",
            .value = "uC",
            .long_text = " split-string ",
            .form = Form::kEnv},
    Program{.names = " cmd ", .form = Form::kCmd},
    Program{.names = " pwsh ", .form = Form::kPowerShell},
    Program{.names = " powershell ", .text_operand = kAny, .form = Form::kPowerShell},
};

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return all;
}

bool lists(std::string_view list, std::string_view name) {
  return !name.empty() && list.contains(" " + std::string(name) + " ");
}

// Without directory, `.exe`, version and what a build of Python puts behind it: `python3.13t`.
std::string plain_name(std::string_view word) {
  std::string name = lower(last_component(word));
  for (const std::string_view end : {".exe", ".com", "-dbg"}) {
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  }
  const bool python = name.starts_with("python") && name.size() > 6 && name != "pythonw";
  while (python && std::string_view("tdmu").contains(name.back())) name.pop_back();
  const std::size_t last = name.find_last_not_of("0123456789.-_");
  if (last != std::string::npos) name.resize(last + 1);
  return name;
}

const Program* program_of(std::string_view word) {
  const std::string name = plain_name(word);
  const auto found = std::ranges::find_if(
      kPrograms, [&](const Program& program) { return lists(program.names, name); });
  return found == kPrograms.end() ? nullptr : &*found;
}

// Whether `name` is one of the list or, as getopt_long takes it, the beginning of one.
bool begins_one_of(std::string_view list, std::string_view name) {
  return !name.empty() && list.contains(" " + std::string(name));
}

// The arguments of one program, from left to right, up to the word in question.
class Arguments {
 public:
  Arguments(const Program& program, std::string_view literal)
      : program_(program), literal_(literal) {}

  // `arguments` ends with the word in question.
  bool end_in_text(std::span<const std::string> arguments) {
    for (std::size_t i = 0; i < arguments.size() && !over_; ++i) {
      is_last_ = i + 1 == arguments.size();
      if (look(is_last_ ? literal_ : std::string_view(arguments[i]))) return true;
    }
    return false;
  }

 private:
  // True: this is the last word, and it is text.
  bool look(std::string_view word) {
    if (next_ != Next::kFree && next_ != Next::kMaybeValue) {
      const bool is_text = next_ == Next::kText;
      next_ = Next::kFree;
      return is_text && is_last_;
    }
    if (program_.form == Form::kCmd) return look_at_cmd(lower(word));
    if (program_.form == Form::kPowerShell) return look_at_powershell(lower(word));
    const bool shell = program_.form == Form::kShell;
    if (!no_options_ && !word.empty() && (word[0] == '-' || (shell && word[0] == '+')) &&
        (word.size() > 1 || is_last_)) {
      return look_at_option(word);
    }
    return look_at_operand(word);
  }

  bool look_at_option(std::string_view word) {
    next_ = Next::kFree;
    if (word == "--" && !is_last_) {
      no_options_ = !program_.through_dashes;
      return false;
    }
    if (word.starts_with("--")) return look_at_long(word.substr(2));
    if (program_.one_dash && look_at_long(word.substr(1))) return true;
    if (program_.one_dash) return false;
    return look_at_letters(word.substr(1));
  }

  bool look_at_long(std::string_view word) {
    const std::size_t equals = word.find('=');
    const bool has_value = equals != std::string_view::npos;
    const std::string_view name = word.substr(0, equals);
    if (begins_one_of(program_.long_text, name)) {
      had_text_ = true;
      if (program_.form == Form::kShell) return is_last_;
      if (!has_value) next_ = Next::kText;
      return is_last_;
    }
    had_file_ = had_file_ || name == "file" || name == "exec";
    if (!has_value) next_ = Next::kMaybeValue;
    return false;
  }

  bool look_at_letters(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const bool ends = i + 1 == letters.size();
      if (program_.text.contains(letters[i])) {
        had_text_ = true;
        if (is_last_) return true;
        if (program_.form == Form::kShell) continue;
        if (ends) next_ = Next::kText;
        if (!ends && program_.text.contains(letters[i + 1])) continue;  // node -pe
        return false;
      }
      over_ = program_.ends.contains(letters[i]);
      if (over_ || program_.glued.contains(letters[i])) return false;
      if (program_.value.contains(letters[i])) {
        had_file_ = had_file_ || letters[i] == 'f';
        if (program_.form == Form::kShell) {
          next_ = Next::kValue;
          continue;
        }
        if (ends) next_ = Next::kValue;
        return false;
      }
    }
    return false;
  }

  bool look_at_operand(std::string_view word) {
    if (program_.form == Form::kShell) {
      if (had_text_ && is_last_) return true;
      over_ = next_ != Next::kMaybeValue;
      next_ = Next::kFree;
      return false;
    }
    if (program_.form == Form::kEnv && word.contains('=')) return false;
    ++operands_;
    if (is_last_) return operands_ == program_.text_operand && !had_text_ && !had_file_;
    if (next_ == Next::kMaybeValue) {
      next_ = Next::kFree;
      --operands_;
      return false;
    }
    const std::size_t wanted = program_.text_operand > 1 ? program_.text_operand - 1 : 0;
    over_ = operands_ > std::max(program_.operands, wanted) ||
            (!program_.verb.empty() && operands_ == 1 && word != program_.verb);
    return false;
  }

  bool look_at_cmd(const std::string& word) {
    had_text_ = had_text_ || (word.starts_with('/') &&
                              (word.contains("/c") || word.contains("/k") || word.contains("/r")));
    return had_text_ && is_last_;
  }

  // The options may be cut short, and those of others than the command begin with the same letters.
  bool look_at_powershell(std::string_view word) {
    if (had_text_) return is_last_;
    if (!word.starts_with('-') && !word.starts_with('/')) {
      if (is_last_) return program_.text_operand == kAny;
      had_text_ = next_ != Next::kMaybeValue && program_.text_operand == kAny;
      over_ = next_ != Next::kMaybeValue && !had_text_;
      next_ = Next::kFree;
      return false;
    }
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    word = word.substr(0, word.find(':'));
    over_ = !word.empty() && std::string_view("file").starts_with(word);
    had_text_ =
        lists(" cwa ec ", word) || begins_one_of(" command commandwithargs encodedcommand ", word);
    next_ = Next::kMaybeValue;
    return had_text_ && is_last_;
  }

  // What the next word is.
  enum class Next : std::uint8_t { kFree, kText, kValue, kMaybeValue };

  const Program& program_;
  std::string_view literal_;
  Next next_ = Next::kFree;
  std::size_t operands_ = 0;
  bool is_last_ = false;
  bool no_options_ = false;
  bool had_text_ = false;
  bool had_file_ = false;  // the program comes from a file
  bool over_ = false;      // what follows is for others
};

std::vector<std::string> split_at_blanks(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\n') {
      if (c != '\'' && c != '"') word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

// `env -S 'sh -c' WORD` runs `sh -c WORD`: the words with those of -S in their place.
std::vector<std::string> with_split_strings(std::span<const std::string> words) {
  std::vector<std::string> all;
  bool after_env = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const Program* program = program_of(word);
    const bool is_option = after_env && word.starts_with('-');
    std::size_t from = std::string::npos;
    if (is_option && word.starts_with("--s")) {
      from = word.find('=');
      from = from == std::string::npos ? word.size() : from + 1;
    } else if (is_option && !word.starts_with("--") && word.contains('S')) {
      from = word.find('S') + 1;
    }
    if (from == std::string::npos) {
      all.push_back(word);
      after_env = after_env || (program != nullptr && program->form == Form::kEnv);
      continue;
    }
    const bool glued = from < word.size();
    if (!glued && i + 1 >= words.size()) {
      all.push_back(word);
      continue;
    }
    for (std::string& one : split_at_blanks(glued ? word.substr(from) : words[++i])) {
      all.push_back(std::move(one));
    }
  }
  return all;
}

bool any_takes(std::span<const std::string> before, std::string_view literal) {
  std::vector<std::string> words(before.begin(), before.end());
  words.emplace_back(literal);
  for (std::size_t p = 0; p + 1 < words.size(); ++p) {
    const Program* program = program_of(words[p]);
    if (program == nullptr) continue;
    if (Arguments(*program, literal).end_in_text(std::span(words).subspan(p + 1))) return true;
  }
  return false;
}

}  // namespace

bool is_program_text(const std::vector<std::string>& words, std::size_t at,
                     std::string_view literal) {
  const auto before = std::span(words).first(at);
  return any_takes(before, literal) || any_takes(with_split_strings(before), literal);
}

}  // namespace holdfast
