// SPDX-License-Identifier: Apache-2.0
//
// A command of the harness's own, which prints one live workspace per line.
//
// It has no positive control, so its shape is all the stricter. Refused as `garbled` are what a
// broken producer prints on its way to status 0: a last line without its end (cut short), an empty
// line (`echo "$names"` where the client inside failed), control characters, bytes that are no
// text, and lines longer than any name.
#include <algorithm>

#include "authority/engine.h"
#include "base/path_text.h"
#include "base/printable.h"
#include "os/stream/pipe.h"

namespace holdfast::authority {
namespace {

constexpr std::size_t kMaxLine = 1024;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

Result<Listing> list_command(const std::string& command, const Deadline& deadline) {
  if (command.empty()) return not_told("not-asked", "a command", "no --probe speaks for it");
  const std::string output = os::with_plain_line_ends(
      HF_TRY(run_client(shell_words(command), deadline, Speech::kUsersOwn)));
  if (!output.empty() && !output.ends_with('\n')) {
    return garbled(command, "its last line has no end, so it may be cut short");
  }
  Listing listing;
  std::string_view rest = output;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const auto bad = [&](std::string_view why) {
      return garbled(command, "line " + std::to_string(number) + " " + std::string(why));
    };
    if (line.empty()) return bad("is empty");
    // What pads names (`column`, `printf %-20s`) prints none of them as it is.
    if (line.front() == ' ' || line.back() == ' ') return bad("begins or ends with a blank");
    if (line.size() > kMaxLine) return bad("is longer than 1 KiB");
    if (std::ranges::any_of(line, is_control)) return bad("holds a control character");
    if (!is_utf8(line)) return bad("is not text in UTF-8");
    listing.things.push_back({.id = std::string(line)});
  }
  return listing;
}

}  // namespace holdfast::authority
