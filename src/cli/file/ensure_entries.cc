// SPDX-License-Identifier: Apache-2.0
#include "cli/file/ensure_entries.h"

#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/path_text.h"
#include "cli/file/file_options.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/frame/user_file.h"
#include "file/ensure/ensure.h"
#include "format/file/compose_binds.h"
#include "format/text/expand.h"
#include "format/text/toml.h"
#include "format/text/yaml_document.h"
#include "os/path/path.h"
#include "os/spawn/env.h"
#include "os/stream/stdio.h"

namespace holdfast::cli {
namespace {

constexpr std::uint32_t kNewFile = 0644;
constexpr std::uint32_t kNewDirectory = 0755;

std::optional<std::string> ensure_entries_variable(const std::string& name) {
  return os::env(name.c_str());
}

Error wrong(std::string why) {
  return usage_error("bad-combination", "run", "holdfast ensure", std::move(why));
}

// What --mode, --owner, --parents and --pin say.
Result<ManifestEntry> pattern_of(const Args& args) {
  ManifestEntry entry{.parents = args.flag("parents"), .pin = args.flag("pin")};
  const auto mode = HF_TRY(mode_value(args));
  entry.any_mode = !mode;
  if (mode) entry.mode = *mode;
  if (const auto text = args.text("owner")) {
    entry.owner = parse_owner(*text);
    if (!entry.owner) return bad_value("owner", *text, "it is uid:gid or the name of a user");
  }
  return entry;
}

Result<std::vector<ManifestEntry>> from_options(const Args& args) {
  const std::vector<std::string> files = args.texts("file");
  const std::vector<std::string> dirs = args.texts("dir");
  const ManifestEntry pattern = HF_TRY(pattern_of(args));
  const bool is_used = !files.empty() || !dirs.empty();
  const bool says_more = !pattern.any_mode || pattern.owner || pattern.parents || pattern.pin;
  std::vector<ManifestEntry> entries;
  if (!is_used && says_more) {
    return fail(wrong("--mode, --owner, --parents and --pin belong to --file and --dir"));
  }
  if (!is_used) return entries;
  if (pattern.pin && pattern.any_mode && !pattern.owner) {
    return fail(wrong("--pin needs a --mode or an --owner to pin"));
  }
  const std::string base = HF_TRY(os::working_dir());
  const auto add = [&](const std::string& typed, PathType type, std::uint32_t mode) -> Result<> {
    ManifestEntry entry = pattern;
    entry.type = type;
    entry.path = HF_TRY(entry_path(typed, type, base));
    if (entry.any_mode) entry.mode = mode;
    entries.push_back(std::move(entry));
    return {};
  };
  for (const std::string& path : files) HF_TRY(add(path, PathType::kFile, kNewFile));
  for (const std::string& path : dirs) HF_TRY(add(path, PathType::kDirectory, kNewDirectory));
  return entries;
}

Result<std::vector<BindMount>> binds_of(const std::string& path, file::TrustDir trust) {
  if (path != "-") {
    const std::string text = HF_TRY(read_config_file(path, kMaxYamlBytes, trust));
    return parse_compose_binds(text, path, HF_TRY(directory_of_file(path)),
                               ensure_entries_variable);
  }
  const std::string text = HF_TRY(os::read_stdin(kMaxYamlBytes));
  return parse_compose_binds(text, "standard input", HF_TRY(os::working_dir()),
                             ensure_entries_variable);
}

// The entries that bind mounts need: their sources, and the directories above that are declared.
Result<std::vector<ManifestEntry>> needed_by(const std::vector<std::string>& compose_files,
                                             std::vector<ManifestEntry> entries,
                                             file::TrustDir trust) {
  std::map<std::string_view, std::size_t> declared;
  for (std::size_t i = 0; i < entries.size(); ++i) declared.emplace(entries[i].path, i);
  std::set<std::size_t> needed;
  for (const std::string& path : compose_files) {
    for (const BindMount& bind : HF_TRY(binds_of(path, trust))) {
      if (is_root_path(bind.source)) continue;  // it is there, and needs no entry
      if (!declared.contains(bind.source)) {
        return fail({.code = ErrorCode::kConfig,
                     .op = "ensure the bind mounts of",
                     .subject = path + ":" + std::to_string(bind.line),
                     .cause = "undeclared-bind",
                     .detail = "the service " + bind.service + " binds " + bind.source +
                               ", and no [[path]] says whether that is a file or a directory"});
      }
      for (std::string_view place = bind.source; !is_root_path(place);
           place = lexical_parent(place)) {
        const auto found = declared.find(place);
        if (found != declared.end()) needed.insert(found->second);
      }
    }
  }
  std::vector<ManifestEntry> result;
  for (const std::size_t index : needed) result.push_back(std::move(entries[index]));
  return result;
}

}  // namespace

Result<std::vector<ManifestEntry>> entries_of_manifest(const std::string& path,
                                                       file::TrustDir trust) {
  const std::string text = HF_TRY(read_config_file(path, kMaxTomlBytes, trust));
  return parse_manifest(text, path, HF_TRY(directory_of_file(path)), ensure_entries_variable);
}

Result<std::vector<ManifestEntry>> entries_to_ensure(const Args& args) {
  std::vector<ManifestEntry> entries = HF_TRY(from_options(args));
  const bool has_manifest = !args.arguments().empty();
  if (!has_manifest && entries.empty()) {
    return fail(wrong("give a MANIFEST, or --file or --dir with a PATH"));
  }
  std::string name = "the command line";
  if (has_manifest) {
    name = args.arguments().front();
    std::vector<ManifestEntry> more = HF_TRY(entries_of_manifest(name, trust_of(args)));
    std::move(more.begin(), more.end(), std::back_inserter(entries));
  }
  HF_TRY(check_entries(entries, name));
  const std::vector<std::string> compose_files = args.texts("from-compose");
  if (!compose_files.empty())
    entries = HF_TRY(needed_by(compose_files, std::move(entries), trust_of(args)));
  HF_TRY(file::resolve_owners(entries));
  return entries;
}

}  // namespace holdfast::cli
