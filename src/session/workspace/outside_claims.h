// SPDX-License-Identifier: Apache-2.0
//
// One directory belongs to one workspace: whose directories are where, and is another one the same
// as one of them, above it or below it? The home counts as one of them. Whoever moves the directory
// of a workspace moves everything below it, so none may lie in another.
//
// Directories are compared by device, inode and time of birth, up to the root, so another spelling
// of the path, a link or a bind mount, of the directory itself or of a part of it, is seen through.
//
// Hostile interleaving: two make their directories at once, one inside of the other. Each writes
// its entry first and looks afterwards, so at least one of them sees the other.
//
// Limits: a bind mount is seen through only where what holds the mounted directory can be reached
// from here too (os/file/file_system.h): not in a container that was given a part of a workspace,
// and whose home is that of the host. A claim whose directory cannot be opened is compared by its
// path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/id128.h"
#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file_system.h"
#include "session/record/store.h"
#include "session/workspace/outside.h"

namespace holdfast::session {

class OutsideClaims {
 public:
  // Errors: those of list_outside; the home cannot be named.
  static Result<OutsideClaims> read(const SessionStore& store);

  // Whose is it: "'NAME'", or "the home"; nullopt: nobody's but that of `self`. Of a directory that
  // is there: the same, above or below.
  [[nodiscard]] Result<std::optional<std::string>> other_at(const os::Dir& dir,
                                                            const Id128& self) const;
  // Of one that is to be made in `parent`: below.
  [[nodiscard]] Result<std::optional<std::string>> other_above(const os::Dir& parent,
                                                               const Id128& self) const;

 private:
  struct Link {
    os::FileId id{};
    std::int64_t birth_ns = 0;
  };
  // A directory and all above it, itself first; by every way up that there is.
  struct Way {
    std::vector<std::string> paths{};
    std::vector<Link> links{};
  };
  struct Claim {
    Id128 id{};
    std::string whose{};
    Link link{};               // as it was when it was recorded
    std::optional<Way> way{};  // where it is in its place
    std::string only_path{};   // where it cannot be told whether it is
  };

  static Result<Link> link_of(const os::Dir& dir);
  [[nodiscard]] Result<Way> way_of(const os::Dir& dir) const;
  [[nodiscard]] Result<Claim> claim_of(const OutsideEntry& entry) const;
  static bool is_same(const Link& one, const Link& other);
  static bool holds(const Way& way, const Link& link);
  static bool collides(const Claim& claim, const Way& way, bool below_too);
  [[nodiscard]] std::optional<std::string> conflict(const Way& way, const Id128& self,
                                                    bool below_too) const;

  void add(Claim claim);

  os::MountTable mounts_;
  std::vector<Claim> claims_;
  // By inode, so that thousands of workspaces can be asked about: whose directory it is, and whose
  // lie in it.
  std::map<os::FileId, std::vector<std::size_t>> owners_;
  std::map<os::FileId, std::vector<std::size_t>> inside_;
  std::vector<std::size_t> by_path_;
};

// Is it a home of holdfast, this one or another, or does it lie in one? What lies there belongs to
// that home's workspaces, whoever runs this.
Result<bool> lies_in_some_home(const os::Dir& dir);

// Is it, or one above it, marked as the directory of another home's workspace (outside.h)?
Result<bool> lies_in_another_homes(const SessionStore& store, const os::Dir& dir);

}  // namespace holdfast::session
