// SPDX-License-Identifier: Apache-2.0
#include "cli/lock_owner.h"

#include <algorithm>
#include <charconv>

#include "cli/option_value.h"
#include "os/proc_fs.h"
#include "proc/owner.h"

namespace holdfast::cli {

Result<std::optional<proc::Pinned>> owner_option(const Args& args) {
  const auto typed = args.text("owner");
  if (!typed) return HF_TRY(proc::calling_owner());
  if (*typed == "none") return std::nullopt;
  std::int32_t pid = 0;
  const auto [end, bad] = std::from_chars(typed->data(), typed->data() + typed->size(), pid);
  if (bad != std::errc() || end != typed->data() + typed->size() || pid <= 0)
    return bad_value("owner", *typed, "it is the number of a process, or `none`");
  return HF_TRY(proc::owner_by_pid(os::Pid{pid}));
}

Result<> check_owner_options(const Args& args) {
  const bool bound_to_none = args.text("owner") == "none";
  if (bound_to_none && !args.text("ttl"))
    return bad_value("owner", "none", "without a process it needs --ttl, else it would never end");
  if (!args.flag("auto-renew")) return {};
  if (!args.text("ttl")) return bad_value("auto-renew", "", "without --ttl there is no lease");
  if (bound_to_none) return bad_value("auto-renew", "", "with --owner none nobody renews");
  return {};
}

// What a third of the lease is, a renewal may miss and try again.
std::optional<Duration> renewal_option(const Args& args) {
  if (!args.flag("auto-renew")) return std::nullopt;
  return *args.duration("ttl") / 3;
}

std::string command_of(os::Pid pid) {
  auto line = os::read_proc_file(pid, "cmdline");
  if (!line || !*line) return {};
  std::string text = std::move(**line);
  while (text.ends_with('\0')) text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  return text;
}

}  // namespace holdfast::cli
