// SPDX-License-Identifier: Apache-2.0
#include "file/ensure/ensure_follow.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "base/cause.h"
#include "base/path_text.h"
#include "format/text/expand.h"
#include "os/dir/dir.h"

namespace holdfast::file {
namespace {

constexpr int kMostFollowedLinks = 40;  // as the kernel

Error follow_refused(const std::string& path, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kRefused,
          .op = "ensure",
          .subject = path,
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

Error way_changed(const std::string& path) {
  return {.code = ErrorCode::kBusy,
          .op = "ensure",
          .subject = path,
          .cause = cause::kChangedMeanwhile,
          .detail = "somebody changed a link on the way to it while ensure worked"};
}

// Empty ones and `.` are left out.
std::vector<std::string> components_of(std::string_view path) {
  std::vector<std::string> components;
  while (!path.empty()) {
    const auto* const end = std::find_if(path.begin(), path.end(), is_separator);
    const auto length = static_cast<std::size_t>(end - path.begin());
    const std::string_view component = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    if (!component.empty() && component != ".") components.emplace_back(component);
  }
  return components;
}

class Follower {
 public:
  Follower(const std::string& path, TrustDir trust) : path_(path), trust_(trust) {
    enter(path, path);
    from_link_ = 0;  // NOLINT(cppcoreguidelines-prefer-member-initializer): enter() has counted
  }

  Result<Followed> follow() {
    while (!rest_.empty()) {
      const std::string component = std::move(rest_.front());
      rest_.pop_front();
      const bool is_of_link = from_link_ > 0;
      if (is_of_link) --from_link_;
      if (component == "..") {
        place_ = std::string(lexical_parent(place_));
        continue;
      }
      const bool is_there = HF_TRY(step(component));
      if (is_there) continue;
      if (is_of_link) {
        return fail(follow_refused(link_, "dangling-link",
                                   "it is a link that leads to " + join_path(place_, component) +
                                       ", and there is nothing"));
      }
      append(component);
      for (const std::string& missing : rest_) append(missing);
      rest_.clear();
    }
    return Followed{.path = std::move(place_), .through = std::move(through_)};
  }

 private:
  // What `text`, the path itself or that of a link in place_, says comes next.
  void enter(const std::string& text, std::string_view base) {
    const std::vector<std::string> parts =
        components_of(std::string_view(text).substr(root_length(text)));
    if (is_rooted_path(text)) place_ = root_of(base, text);
    rest_.insert(rest_.begin(), parts.begin(), parts.end());
    from_link_ += parts.size();
  }

  static std::string root_of(std::string_view base, std::string_view text) {
    std::string root = lexical_path(base, text);
    while (!is_root_path(root)) root = std::string(lexical_parent(root));
    return root;
  }

  void append(const std::string& component) { place_ = join_path(place_, component); }

  // One component further, or into the link that it is. false: it is not there, or nothing can be.
  Result<bool> step(const std::string& component) {
    const auto dir = open_place();
    if (!dir &&
        (dir.error().code == ErrorCode::kNotFound || dir.error().cause == cause::kNotADirectory)) {
      return false;
    }
    if (!dir) return fail(dir.error());
    const os::SafeName name = HF_TRY(os::SafeName::make(component));
    const auto info = HF_TRY(dir->info(name));
    if (!info) return false;
    if (info->type != os::FileType::kLink) {
      append(component);
      return true;
    }
    HF_TRY(check_dir(*dir, path_, trust_));
    const auto text = HF_TRY(dir->read_link(name));
    if (!text) return fail(way_changed(path_));
    if (++links_ > kMostFollowedLinks) {
      return fail(follow_refused(path_, "too-many-links", "links lead on and on"));
    }
    link_ = join_path(place_, component);
    if (std::ranges::find(through_, place_) == through_.end()) through_.push_back(place_);
    enter(*text, place_);
    return true;
  }

  // To read it, if we may: its access list counts.
  [[nodiscard]] Result<os::Dir> open_place() const {
    auto dir = os::Dir::open_without_links(place_);
    if (!dir && dir.error().code == ErrorCode::kOsRefused) dir = os::Dir::open_to_search(place_);
    return dir;
  }

  const std::string& path_;
  TrustDir trust_;
  std::string place_;             // so far, no link in it
  std::deque<std::string> rest_;  // what comes next
  std::size_t from_link_ = 0;     // so many of them a link says, not the path
  std::string link_;              // the last one that was followed
  std::vector<std::string> through_;
  int links_ = 0;
};

}  // namespace

Result<Followed> follow_links(const std::string& path, TrustDir trust) {
  return Follower(path, trust).follow();
}

Result<> check_leads_to(const std::string& path, const Followed& known) {
  const auto now = follow_links(path, TrustDir::kAny);
  if (now && now->path == known.path) return {};
  if (!now && now.error().code != ErrorCode::kRefused) return fail(now.error());
  return fail(way_changed(path));
}

}  // namespace holdfast::file
