// SPDX-License-Identifier: Apache-2.0
//
// LoopDir: what a loop keeps in the home.
//
//   loops/<escaped name>/      0700
//     items.log                every item's state (loop/item/item_log.h)
//     loop.json                which file the loop is of
//     paused                   there while it is paused: by whom, since when, why
//     source                   the last good answer of the source, for `loop status`
//     items/<escaped id>.json  an item as the source printed it: what its commands read
//     items/<escaped id>.text  the notice about it that is being sent
//
// Guarantee: every file is replaced whole. A pause whose file cannot be read is a pause.
// Errors: of session/record/own_file.h; kRefused `other-loop-file`: the state is of another file, that is
// named; kUsage for what is no name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::loop {

struct Pause {
  WallTime since{};
  std::string reason{};
};

class LoopDir {
 public:
  // Made where it is missing, and bound to `file`, the absolute path of the loop's file; `moved`:
  // bound to it even if it was bound to another.
  static Result<LoopDir> open(const os::Dir& loops, std::string_view name, const std::string& file,
                              bool moved);
  // nullopt: this loop never worked.
  static Result<std::optional<LoopDir>> find(const os::Dir& loops, std::string_view name,
                                             const std::string& file);

  [[nodiscard]] const os::Dir& dir() const { return dir_; }

  // nullopt: it is not paused.
  [[nodiscard]] Result<std::optional<Pause>> paused() const;
  Result<> pause(const Pause& pause) const;
  // False: it was not paused.
  Result<bool> resume() const;

  Result<> keep_source(std::string_view bytes) const;
  // nullopt: there was no good answer yet.
  [[nodiscard]] Result<std::optional<std::string>> kept_source() const;

  // The path of the file. On disk afterwards: what asks whether an item is done reads it after a
  // power cut, too.
  Result<std::string> keep_item(std::string_view id, std::string_view json) const;
  // nullopt: it is gone.
  [[nodiscard]] Result<std::optional<std::string>> kept_item(std::string_view id) const;
  [[nodiscard]] Result<std::string> item_path(std::string_view id) const;
  Result<std::string> keep_text(std::string_view id, std::string_view text) const;
  [[nodiscard]] Result<std::string> text_path(std::string_view id) const;
  // Under the log's lock, so that it is not the text of the next notice.
  void drop_text(std::string_view id) const;
  // What was kept of an item that is forgotten.
  void drop_item(std::string_view id) const;

 private:
  void drop(std::string_view id, std::string_view suffix) const;

  LoopDir(os::Dir dir, os::Dir items) : dir_(std::move(dir)), items_(std::move(items)) {}

  os::Dir dir_;
  os::Dir items_;
};

}  // namespace holdfast::loop
