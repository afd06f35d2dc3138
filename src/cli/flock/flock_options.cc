// SPDX-License-Identifier: Apache-2.0
#include "cli/flock/flock_personality.h"

#include <getopt.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "base/units.h"
#include "cli/frame/command_line.h"

namespace holdfast::cli {
namespace {

// Behind the letters.
constexpr int kVerbose = 256;
constexpr int kFcntl = 257;
constexpr int kStart = 258;
constexpr int kLength = 259;

// '+': options end at the first other word. ':': a missing value is told apart.
constexpr const char* kLetters = "+:sexnuw:E:oFhV";
constexpr std::array kNames{
    option{"shared", no_argument, nullptr, 's'},
    option{"exclusive", no_argument, nullptr, 'x'},
    option{"unlock", no_argument, nullptr, 'u'},
    option{"nonblocking", no_argument, nullptr, 'n'},
    option{"nb", no_argument, nullptr, 'n'},
    option{"timeout", required_argument, nullptr, 'w'},
    option{"wait", required_argument, nullptr, 'w'},
    option{"conflict-exit-code", required_argument, nullptr, 'E'},
    option{"close", no_argument, nullptr, 'o'},
    option{"no-fork", no_argument, nullptr, 'F'},
    option{"verbose", no_argument, nullptr, kVerbose},
    option{"fcntl", no_argument, nullptr, kFcntl},
    option{"start", required_argument, nullptr, kStart},
    option{"length", required_argument, nullptr, kLength},
    option{"help", no_argument, nullptr, 'h'},
    option{"version", no_argument, nullptr, 'V'},
    option{nullptr, 0, nullptr, 0},
};

std::string quoted(const std::string& text) { return "'" + text + "'"; }

// Blanks in front and a sign are taken, anything behind the number is not.
Result<int> read_number(const std::string& op, const std::string& text) {
  char* end = nullptr;
  const long long number = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || end == text.c_str()) {
    return fail(usage_error("bad-value", op, quoted(text), "it is not a whole number"));
  }
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    return fail(usage_error("bad-value", op, quoted(text), "it is out of range"));
  }
  return static_cast<int>(number);
}

// Whole microseconds, as far as time is counted here; what is below one is no time at all.
Result<Duration> read_timeout(const std::string& text) {
  constexpr double kBeyondAnyTimer = 9223372036854775808.0;  // 2^63 seconds
  constexpr double kEnough = 1e9;                            // 30 years
  constexpr Duration kRefused{-1};
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || end == text.c_str()) {
    return fail(
        usage_error("bad-value", "use time-out", quoted(text), "it is not a number of seconds"));
  }
  if (!std::isfinite(seconds) || seconds >= kBeyondAnyTimer) return kRefused;
  const double counted = std::trunc(std::min(seconds, kEnough) * 1e6);
  if (counted < 0) return kRefused;
  return std::chrono::microseconds(static_cast<std::int64_t>(counted));
}

// What follows the digits of a size, as the power of 1024 or 1000 that it is: K, KiB and kib, KB.
std::optional<std::uint64_t> factor_of(std::string_view suffix) {
  constexpr std::string_view kPowers = "KMGTPEZY";
  if (suffix.empty()) return 1;
  const std::size_t power =
      kPowers.find(static_cast<char>(std::toupper(static_cast<unsigned char>(suffix.front()))));
  suffix.remove_prefix(1);
  const bool tens = suffix == "B" || suffix == "b";
  if (power == kPowers.npos || (!suffix.empty() && !tens && suffix != "iB" && suffix != "ib"))
    return std::nullopt;
  std::uint64_t factor = 1;
  for (std::size_t at = 0; at <= power; ++at) {
    if (__builtin_mul_overflow(factor, tens ? 1000U : 1024U, &factor)) return std::nullopt;
  }
  return factor;
}

// Digits as strtoull reads them (also 0x10 and 010), then a suffix. What is beyond any file is the
// kernel's to refuse. Decimals, as with K and above, come out at a whole byte.
Result<std::uint64_t> read_bytes(const std::string& op, const std::string& text) {
  const auto bad = [&] {
    return fail(usage_error("bad-value", op, quoted(text), "it is not a number of bytes"));
  };
  const std::size_t begin = text.find_first_not_of(" \t\n\v\f\r");
  if (begin == text.npos || text[begin] == '-') return bad();
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text.c_str(), &end, 0);
  if (end == text.c_str() || number == std::numeric_limits<unsigned long long>::max()) return bad();
  if (*end == '.') {
    const auto size = parse_size(std::string_view(text).substr(begin));
    return size && std::isdigit(static_cast<unsigned char>(text.back())) == 0
               ? Result<std::uint64_t>(*size)
               : bad();
  }
  const auto factor = factor_of(end);
  std::uint64_t bytes = 0;
  if (!factor || __builtin_mul_overflow(std::uint64_t{number}, *factor, &bytes)) return bad();
  return bytes;
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& argv) {
    // getopt_long takes pointers to mutable bytes; told to stop at the first operand, it neither
    // writes to them nor moves them.
    for (const std::string& word : argv) words_.push_back(const_cast<char*>(word.c_str()));
    words_.push_back(nullptr);
  }

  Result<FlockLine> parse(const std::optional<std::string>& shell) {
    if (count() < 2) {
      return fail(usage_error("missing-operand", "lock", "", "not enough arguments"));
    }
    optind = 0;  // glibc: start afresh
    opterr = 0;  // it does not speak for us
    for (;;) {
      const int letter = next();
      if (letter == -1) break;
      if (letter == 'h') return FlockAbout::kHelp;
      if (letter == 'V') return FlockAbout::kVersion;
      HF_TRY(take(letter));
    }
    if (request_.no_fork && request_.close_first) {
      return fail(usage_error("conflicting-options", "use", "--no-fork with --close",
                              "nothing would be left to hold the lock"));
    }
    HF_TRY(take_operands(shell));
    return request_;
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(words_.size()) - 1; }
  [[nodiscard]] std::string word(int at) const { return words_[static_cast<std::size_t>(at)]; }

  int next() {
    current_ = std::max(optind, 1);
    return getopt_long(count(), words_.data(), kLetters, kNames.data(), nullptr);
  }

  Result<> take(int letter) {
    switch (letter) {
      case 's':
        request_.mode = os::FlockMode::kShared;
        return {};
      case 'e':
      case 'x':
        request_.mode = os::FlockMode::kExclusive;
        return {};
      case 'u':
        request_.mode = os::FlockMode::kUnlock;
        return {};
      case 'n':
        request_.no_wait = true;
        return {};
      case 'o':
        request_.close_first = true;
        return {};
      case 'F':
        request_.no_fork = true;
        return {};
      case kVerbose:
        request_.verbose = true;
        return {};
      case kFcntl:
        range();
        return {};
      case kStart:
        range().start = HF_TRY(read_bytes("use start", optarg));
        return {};
      case kLength:
        range().length = HF_TRY(read_bytes("use length", optarg));
        return {};
      case 'w':
        request_.timeout = HF_TRY(read_timeout(optarg));
        return {};
      case 'E':
        return take_conflict_code(HF_TRY(read_number("use exit code", optarg)));
      case ':':
        return fail(
            usage_error("missing-value", "use option", quoted(word(current_)), "it needs a value"));
      default:
        return fail(not_an_option());
    }
  }

  os::UserRange& range() {
    if (!request_.range) request_.range.emplace();
    return *request_.range;
  }

  [[nodiscard]] Error not_an_option() const {
    if (word(current_).starts_with("--")) {
      return usage_error("unknown-option", "use option", quoted(word(current_)),
                         optopt != 0 ? "it takes no value" : "it is unknown or ambiguous");
    }
    return usage_error("unknown-option", "use option",
                       quoted(std::string("-") + static_cast<char>(optopt)), "there is none");
  }

  Result<> take_conflict_code(int code) {
    if (code < 0 || code > 255) {
      return fail(usage_error("bad-value", "use exit code", quoted(std::to_string(code)),
                              "it must be 0 to 255"));
    }
    request_.conflict_code = code;
    return {};
  }

  Result<> take_operands(const std::optional<std::string>& shell) {
    const int first = optind;
    const int left = count() - first;
    if (left == 0) {
      return fail(usage_error("missing-operand", "lock", "",
                              "a file, a directory or the number of a descriptor is missing"));
    }
    // A time-out of nothing is no wait.
    if (request_.timeout == Duration::zero()) {
      request_.timeout.reset();
      request_.no_wait = true;
    }
    if (left == 1) {
      request_.descriptor = HF_TRY(read_number("use descriptor", word(first)));
      return {};
    }
    request_.file = word(first);
    const std::string second = word(first + 1);
    if (second != "-c" && second != "--command") {
      request_.command.assign(words_.begin() + first + 1, words_.end() - 1);
      return {};
    }
    if (left != 3) {
      return fail(usage_error("missing-operand", "use option", quoted(second),
                              "it needs exactly one command, as one word, and nothing behind it"));
    }
    request_.command = {shell.value_or("").empty() ? "/bin/sh" : *shell, "-c", word(first + 2)};
    return {};
  }

  std::vector<char*> words_;
  int current_ = 1;  // the word that an option was last read from
  FlockRequest request_;
};

}  // namespace

Result<FlockLine> parse_flock(const std::vector<std::string>& argv,
                              const std::optional<std::string>& shell) {
  return Parser(argv).parse(shell);
}

}  // namespace holdfast::cli
