// SPDX-License-Identifier: Apache-2.0
//
// Where a declared path leads, if links on it may be followed.
//
// Guarantee: the answer is absolute and has no link in it, as far as it exists; what is missing at
// its end is as it was declared. Components are taken one by one, as the kernel does, so that `..`
// in a link starts at the place where the link leads. A link is followed only from a directory that
// nobody else can change (target.h).
//
// The hostile interleaving: we see that `way` leads to `real`, and before we make `way/f` somebody
// makes `way` lead to a victim's directory. Whoever acts opens the answer without following any link,
// so nothing is made there; and asks again under the locks, right before the act and once all is
// done, so that "it is there" is never said of a place where the path leads no more. Between that
// question and the act a link may still be swapped: then the thing is made where the link led a
// moment ago, and the last question tells (kBusy `changed-meanwhile`).
//
// Errors: kRefused `untrusted-dir`, `dangling-link`, `too-many-links`; else see os_error.h.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "file/replace/target.h"

namespace holdfast::file {

struct Followed {
  std::string path;                    // where it leads
  std::vector<std::string> through{};  // the directories that hold a followed link
};

// `path` is absolute and in its one spelling (lexical_path, expand.h).
Result<Followed> follow_links(const std::string& path, TrustDir trust);

// kBusy `changed-meanwhile` where `path` leads elsewhere now.
Result<> check_leads_to(const std::string& path, const Followed& known);

}  // namespace holdfast::file
