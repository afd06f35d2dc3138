// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_owner.h"

#include <charconv>

#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/lock/lock_options.h"
#include "proc/identity/caller.h"
#include "proc/tree/run_id_scan.h"
#include "run/lock/lock_environment.h"

namespace holdfast::cli {
namespace {

// Where not even this process's own environment can be read (Windows), nothing is compared.
Result<> refuse_outside_run(const proc::Pinned& owner) {
  const auto run = proc::run_id_of(os::own_pid());
  if (!run || !*run) return {};
  const bool inside = HF_TRY(proc::is_inside(
      owner, [&](std::string_view environment) { return proc::run_id_in(environment) == **run; }));
  if (inside) return {};
  return fail(usage_error("owner-outside", "bind the lock to",
                          "process " + std::to_string(os::number(owner.identity.pid)),
                          "it is outside of the run that this is called in, which ends the keeper "
                          "of the lock when it ends; acquire the lock outside of the run, or use "
                          "--owner none --ttl D; nothing was taken"));
}

}  // namespace

Result<std::optional<proc::Pinned>> owner_option(const Args& args) {
  const auto typed = args.text("owner");
  if (!typed) return HF_TRY(proc::calling_owner());
  if (*typed == "none") return std::nullopt;
  std::int32_t pid = 0;
  const auto [end, bad] = std::from_chars(typed->data(), typed->data() + typed->size(), pid);
  if (bad != std::errc() || end != typed->data() + typed->size() || pid <= 0)
    return bad_value("owner", *typed, "it is the number of a process, or `none`");
  auto owner = HF_TRY(proc::owner_by_pid(os::Pid{pid}));
  HF_TRY(refuse_outside_run(owner));
  return owner;
}

Result<LockChain> chain_for_owner(const Args& args, const std::optional<proc::Pinned>& owner,
                                  const std::string& ledger) {
  LockChain chain = HF_TRY(run::chain_of_environment());
  const auto entry = std::ranges::find(chain, ledger, &ChainEntry::ledger);
  if (entry == chain.end() || !args.text("owner")) return chain;
  const bool cannot_look = owner && !proc::environment_of(os::own_pid());
  const bool inside =
      cannot_look || (owner && HF_TRY(proc::is_inside(*owner, [&](std::string_view environment) {
                        const auto text = proc::variable_in(environment, "HOLDFAST_CHAIN");
                        const auto its = decode_chain(text.value_or(""));
                        return its && std::ranges::find(*its, *entry) != its->end();
                      })));
  if (!inside) chain.erase(entry);
  return chain;
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

}  // namespace holdfast::cli
