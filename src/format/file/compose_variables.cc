// SPDX-License-Identifier: Apache-2.0
#include "format/file/compose_binds.h"

#include <algorithm>

namespace holdfast {
namespace {

constexpr int kMaxNesting = 16;

bool is_name_byte(char c) { return is_variable_name(std::string("_") + c); }

class Expansion {
 public:
  Expansion(std::string_view whole, const VariableLookup& lookup)
      : whole_(whole), lookup_(lookup) {}

  Result<std::string> run(std::string_view text, int nesting) const {
    if (nesting > kMaxNesting) return fail(bad("variables stand inside each other too deep"));
    std::string result;
    for (;;) {
      const std::size_t dollar = text.find('$');
      result += text.substr(0, dollar);
      if (dollar == std::string_view::npos) return result;
      text.remove_prefix(dollar + 1);
      if (text.starts_with('$')) {
        result += '$';
        text.remove_prefix(1);
      } else if (text.starts_with('{')) {
        const std::size_t length = HF_TRY(length_of_braces(text));
        result += HF_TRY(braces(text.substr(1, length - 2), nesting));
        text.remove_prefix(length);
      } else {
        const std::string_view name = take_name(text);
        if (name.empty()) return fail(bad("a `$` has no variable behind it; `$$` is one `$`"));
        result += HF_TRY(value_of(name));
      }
    }
  }

 private:
  // From `{` to its `}`, both included.
  [[nodiscard]] Result<std::size_t> length_of_braces(std::string_view text) const {
    int open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '{' && (i == 0 || text[i - 1] == '$')) ++open;
      if (text[i] == '}' && --open == 0) return i + 1;
    }
    return fail(bad("`${` has no `}`"));
  }

  // `inside` is what stands between the braces.
  [[nodiscard]] Result<std::string> braces(std::string_view inside, int nesting) const {
    const std::string_view name = take_name(inside);
    if (name.empty()) return fail(bad("`${` has no variable's name behind it"));
    if (inside.empty()) return value_of(name);
    const bool empty_counts_as_unset = inside.starts_with(':');
    if (empty_counts_as_unset) inside.remove_prefix(1);
    const char what = inside.empty() ? '\0' : inside.front();
    if (what != '-' && what != '?' && what != '+') {
      return fail(bad("behind " + std::string(name) + " must follow `}`, `-`, `?` or `+`"));
    }
    inside.remove_prefix(1);
    const std::optional<std::string> value = lookup_(std::string(name));
    const bool is_set = value && !(empty_counts_as_unset && value->empty());
    if (what == '+') return is_set ? run(inside, nesting + 1) : Result<std::string>("");
    if (is_set) return *value;
    if (what == '-') return run(inside, nesting + 1);
    return fail(unset(name, inside));
  }

  [[nodiscard]] Result<std::string> value_of(std::string_view name) const {
    std::optional<std::string> value = lookup_(std::string(name));
    if (!value) return fail(unset(name, ""));
    return *std::move(value);
  }

  static std::string_view take_name(std::string_view& text) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), is_name_byte);
    const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    if (!is_variable_name(name)) return {};
    text.remove_prefix(name.size());
    return name;
  }

  [[nodiscard]] Error unset(std::string_view name, std::string_view message) const {
    Error error = bad("the variable " + std::string(name) + " is not set");
    error.cause = "unset-variable";
    if (!message.empty()) error.detail += ": " + std::string(message);
    return error;
  }
  [[nodiscard]] Error bad(std::string detail) const {
    return {.code = ErrorCode::kConfig,
            .op = "expand",
            .subject = std::string(whole_),
            .cause = "bad-expansion",
            .detail = std::move(detail)};
  }

  std::string_view whole_;
  const VariableLookup& lookup_;
};

}  // namespace

Result<std::string> expand_compose(std::string_view text, const VariableLookup& lookup) {
  return Expansion(text, lookup).run(text, 0);
}

}  // namespace holdfast
