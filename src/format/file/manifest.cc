// SPDX-License-Identifier: Apache-2.0
#include "format/file/manifest.h"

#include <unordered_map>

#include "base/path_text.h"
#include "format/text/expand.h"

namespace holdfast {
namespace {

Error bad_entry(std::string_view name, const ManifestEntry& entry, std::string_view cause,
                std::string detail) {
  return {.code = ErrorCode::kConfig,
          .op = "read",
          .subject = toml_place(name, entry.line, entry.column),
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

Result<PathType> read_type(TomlReader& table) {
  const std::string type = HF_TRY(table.required_text("type"));
  if (type == "file") return PathType::kFile;
  if (type == "dir") return PathType::kDirectory;
  return fail(table.error("type", "bad-type", "`type` is \"file\" or \"dir\""));
}

Result<std::uint32_t> read_mode(TomlReader& table) {
  const auto mode = parse_mode(HF_TRY(table.required_text("mode")));
  if (mode) return *mode;
  return fail(table.error("mode", "bad-mode", "`mode` is three or four octal digits: \"0644\""));
}

// With its variables filled in.
Result<std::string> expanded(const TomlReader& table, const std::string& key,
                             std::string_view typed, const VariableLookup& lookup) {
  auto text = expand(typed, lookup);
  if (!text) return fail(table.error(key, text.error().cause, text.error().detail));
  return text;
}

Result<std::optional<std::string>> read_expanded(TomlReader& table, const std::string& key,
                                                 const VariableLookup& lookup) {
  const auto typed = HF_TRY(table.text(key));
  if (!typed) return std::nullopt;
  return HF_TRY(expanded(table, key, *typed, lookup));
}

Result<std::optional<OwnerText>> read_owner(TomlReader& table, const VariableLookup& lookup) {
  const auto text = HF_TRY(read_expanded(table, "owner", lookup));
  if (!text) return std::nullopt;
  auto owner = parse_owner(*text);
  if (owner) return owner;
  return fail(table.error("owner", "bad-owner", "`owner` is \"uid:gid\" or the name of a user"));
}

Result<std::optional<Ids>> read_reader(TomlReader& table, const VariableLookup& lookup) {
  const auto text = HF_TRY(read_expanded(table, "readable_by", lookup));
  if (!text) return std::nullopt;
  const auto ids = parse_ids(*text);
  if (ids) return ids;
  return fail(table.error("readable_by", "bad-owner", "`readable_by` is \"uid:gid\""));
}

Result<std::string> read_path(TomlReader& table, PathType type, std::string_view base,
                              const VariableLookup& lookup) {
  const std::string typed = HF_TRY(table.required_text("path"));
  auto path = entry_path(HF_TRY(expanded(table, "path", typed, lookup)), type, base);
  if (!path) return fail(table.error("path", path.error().cause, path.error().detail));
  return path;
}

}  // namespace

std::string_view to_text(PathType type) { return type == PathType::kFile ? "file" : "dir"; }

Result<std::string> entry_path(std::string_view typed, PathType type, std::string_view base) {
  const auto bad = [&](std::string_view detail) {
    return fail({.code = ErrorCode::kConfig,
                 .op = "ensure",
                 .subject = std::string(typed),
                 .cause = "bad-path",
                 .detail = std::string(detail)});
  };
  if (typed.empty()) return bad("the path is empty");
  if (typed.find('\0') != std::string_view::npos) return bad("the path holds a NUL byte");
  if (type == PathType::kFile && is_separator(typed.back())) {
    return bad("a path that ends in `/` is a directory");
  }
  std::string path = lexical_path(base, typed);
  if (is_root_path(path)) return bad("the root directory is always there");
  return path;
}

Result<> check_entries(const std::vector<ManifestEntry>& entries, std::string_view name) {
  std::unordered_map<std::string_view, const ManifestEntry*> by_path;
  for (const ManifestEntry& entry : entries) {
    const auto [first, added] = by_path.emplace(entry.path, &entry);
    if (added) continue;
    return fail(bad_entry(
        name, entry, "duplicate-path",
        entry.path + " is declared already in line " + std::to_string(first->second->line)));
  }
  std::string_view checked;  // of entries in one directory, one look at what is above is enough
  for (const ManifestEntry& entry : entries) {
    if (checked == lexical_parent(entry.path)) continue;
    checked = lexical_parent(entry.path);
    for (std::string_view above = checked; !is_root_path(above); above = lexical_parent(above)) {
      const auto found = by_path.find(above);
      if (found == by_path.end() || found->second->type == PathType::kDirectory) continue;
      return fail(bad_entry(name, entry, "file-above",
                            std::string(above) + " is declared as a file in line " +
                                std::to_string(found->second->line) +
                                ", so nothing can lie below it"));
    }
  }
  return {};
}

Result<ManifestEntry> read_manifest_entry(const TomlTable& source, std::string_view name,
                                          std::string_view base, const VariableLookup& lookup) {
  TomlReader table(source, std::string(name));
  ManifestEntry entry;
  entry.line = table.line();
  entry.column = table.column();
  entry.type = HF_TRY(read_type(table));
  entry.path = HF_TRY(read_path(table, entry.type, base, lookup));
  entry.mode = HF_TRY(read_mode(table));
  entry.owner = HF_TRY(read_owner(table, lookup));
  entry.parents = HF_TRY(table.flag("parents")).value_or(false);
  entry.pin = HF_TRY(table.flag("pin")).value_or(false);
  entry.readable_by = HF_TRY(read_reader(table, lookup));
  const auto initial = HF_TRY(table.text("initial"));
  if (initial && entry.type != PathType::kFile) {
    return fail(table.error("initial", "bad-type", "only a file has `initial` content"));
  }
  entry.initial = initial.value_or("");
  HF_TRY(table.finish());
  return entry;
}

Result<std::vector<ManifestEntry>> parse_manifest(std::string_view text, std::string_view name,
                                                  std::string_view base,
                                                  const VariableLookup& lookup) {
  const TomlTable table = HF_TRY(parse_toml(text, name));
  TomlReader top(table, std::string(name));
  std::vector<ManifestEntry> entries;
  for (const TomlTable* path : HF_TRY(top.tables("path"))) {
    entries.push_back(HF_TRY(read_manifest_entry(*path, name, base, lookup)));
  }
  HF_TRY(top.finish());
  if (entries.empty()) {
    return fail(
        top.error("path", "toml-missing",
                  "there is no [[path]] in it, and an empty manifest is how a cut one looks"));
  }
  HF_TRY(check_entries(entries, name));
  return entries;
}

}  // namespace holdfast
