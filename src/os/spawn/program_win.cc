// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/program.h"

#include <algorithm>

#include "os/path/path_win.h"
#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr const char* kFindSelf = "find the running program";

Result<std::wstring> module_path() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length =
        sys().GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    if (length == 0) return fail(last_os_error(kFindSelf, {}));
    if (length < path.size()) {
      path.resize(length);
      return path;
    }
    path.resize(path.size() * 2);  // cut off: Windows does not say how long it is
  }
}

bool ends_like_a_program(std::string_view path) {
  if (path.size() < 4) return false;
  std::string ending(path.substr(path.size() - 4));
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending == ".exe" || ending == ".com";
}

void add_endings(std::vector<std::string>& candidates, const std::string& path) {
  if (ends_like_a_program(path)) {
    candidates.push_back(path);
    return;
  }
  candidates.push_back(path + ".exe");
  candidates.push_back(path + ".com");
}

}  // namespace

Result<std::string> own_program_path() {
  const std::wstring module = HF_TRY(module_path());
  const std::string named = HF_TRY(absolute_path(from_wide(module)));
  const std::wstring wide = HF_TRY(extended_path(named));
  // Followed to the end, on purpose: the helpers lie beside the file, not beside a link to it.
  const Handle handle =
      own(sys().CreateFileW(wide.c_str(), FILE_READ_ATTRIBUTES, kDenyNobody, nullptr, OPEN_EXISTING,
                            FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!handle.valid()) return fail(last_os_error(kFindSelf, named));
  return final_path(handle, named);
}

// A name with a separator or a drive is used as it is; any other is tried in each entry of PATH,
// and nowhere else: not in the current directory and not beside this program, where CreateProcessW
// itself would look first. PATH is cut at ';', and an entry may stand in quotes. Without PATH there
// is nothing to search.
//
// Where the name has not the ending of a program, `.exe` and `.com` are tried. A `.bat` or `.cmd`
// is not run: it would be handed to cmd, which reads the words of a command line by rules of its
// own, so that a word could become a command. Who wants one says `cmd /c`.
std::vector<std::string> exec_candidates(std::string_view name,
                                         const std::optional<std::string>& path) {
  std::vector<std::string> candidates;
  if (name.empty()) return candidates;
  if (name.find_first_of("/\\:") != std::string_view::npos) {
    add_endings(candidates, std::string(name));
    return candidates;
  }
  const std::string_view entries = path ? std::string_view(*path) : std::string_view();
  for (std::size_t start = 0; start <= entries.size();) {
    const std::size_t end = std::min(entries.find(';', start), entries.size());
    std::string_view entry = entries.substr(start, end - start);
    if (entry.size() >= 2 && entry.front() == '"' && entry.back() == '"') {
      entry = entry.substr(1, entry.size() - 2);
    }
    if (!entry.empty()) {
      std::string candidate(entry);
      if (!candidate.ends_with('/') && !candidate.ends_with('\\')) candidate += '\\';
      add_endings(candidates, candidate.append(name));
    }
    start = end + 1;
  }
  return candidates;
}

}  // namespace holdfast::os
