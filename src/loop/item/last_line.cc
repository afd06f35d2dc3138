// SPDX-License-Identifier: Apache-2.0
#include "loop/item/last_line.h"

#include <algorithm>

#include "base/printable.h"
#include "session/record/log_files.h"

namespace holdfast::loop {
namespace {

Result<std::string> read_last_line(const session::SessionStore& sessions,
                                   const std::string& session) {
  const auto dir = HF_TRY(sessions.find(session));
  if (!dir) return std::string();
  const auto record = HF_TRY(dir->read());
  if (!record) return std::string();
  auto log = HF_TRY(session::LogReader::open(*dir, record->number));
  if (!log) return std::string();
  HF_TRY(log->skip_to_last_lines(1));
  return log->read_some();
}

}  // namespace

std::string last_line_of(const session::SessionStore& sessions, const std::string& session) {
  std::string line = read_last_line(sessions, session).value_or("");
  line.resize(std::min(line.size(), line.find('\n')));
  const bool is_cut = line.size() > kMostOfALine;
  if (is_cut) line.resize(kMostOfALine);
  return printable(line) + (is_cut ? "…" : "");
}

}  // namespace holdfast::loop
