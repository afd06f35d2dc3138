// SPDX-License-Identifier: Apache-2.0
#include "file/layers/layers.h"

#include <array>
#include <map>

#include "base/cause.h"
#include "base/path_text.h"
#include "base/units.h"
#include "file/replace/target.h"
#include "format/text/toml.h"
#include "os/machine/sha256.h"
#include "os/stream/pipe.h"

namespace holdfast::file {
namespace {

using Words = std::vector<std::string>;

std::unexpected<Error> refuse(std::string_view cause, std::string detail) {
  return fail(
      {.code = ErrorCode::kCorrupt, .cause = std::string(cause), .detail = std::move(detail)});
}

// As the commands of the plan see it: they run beside it.
std::string beside(const LayerSource& source, const std::string& path) {
  if (is_rooted_path(path) || source.directory == ".") return path;
  return source.directory + (is_separator(source.directory.back()) ? "" : "/") + path;
}

// A path that is missing or no regular file is the content's fault; that it cannot be read for
// other reasons (no permission, a broken disk) keeps its own code.
Result<os::File> open_regular(const std::string& path, TrustDir trust) {
  const auto named = [&](Error error) {
    if (error.cause == cause::kUntrustedDir) return fail(std::move(error));
    const bool missing = error.code == ErrorCode::kNotFound;
    if (missing || error.code == ErrorCode::kRefused) error.code = ErrorCode::kCorrupt;
    if (missing) error.cause = "missing-file";
    error.detail = "the file '" + path + "': " + error.detail;
    return fail(std::move(error));
  };
  const Result<Target> at = locate(path, Links::kFollow, trust);
  if (!at) return named(at.error());
  Result<std::optional<os::File>> file = at->dir.open_file(at->name, os::Access::kRead);
  if (!file) return named(file.error());
  if (*file) return std::move(**file);
  return refuse("missing-file", "there is no file '" + path + "'");
}

Result<Digest> digest_of(const os::File& file) {
  std::array<char, 65536> buffer;
  os::Sha256 sha;
  for (std::uint64_t at = 0;;) {
    const std::size_t got = HF_TRY(file.read_into(at, buffer));
    sha.update({buffer.data(), got});
    at += got;
    if (got < buffer.size()) return sha.finish();
  }
}

Result<> check_digest(const Digest& wanted, const Digest& found, const std::string& of) {
  if (wanted == found) return {};
  return refuse("digest-mismatch", "the SHA-256 of " + of + " is " + to_hex(found) +
                                       ", and the plan says " + to_hex(wanted));
}

// A command that is told to go may well exit with 0, or with the 1 that leaves a layer out.
Result<> check_interrupted(const CommandResult& end) {
  if (!end.interrupted) return {};
  return refuse("interrupted", "it was given up: " + end.failure);
}

class Assembler {
 public:
  Assembler(const LayerSource& source, LayerWords form, const VariableLookup& variables,
            CommandRunner& runner)
      : source_(source), form_(form), variables_(variables), runner_(runner) {}

  // Adds the words of one layer, or of none where it is out.
  Result<> add(const Layer& layer) {
    if (!HF_TRY(is_in(layer))) return {};
    const Words words = HF_TRY(layer.command.empty() ? written(layer) : printed(layer));
    for (const std::string& word : words) {
      HF_TRY(add_word(layer, word));
    }
    counts_ += (counts_.empty() ? "" : ", ") + layer.name + " " + std::to_string(words.size());
    return {};
  }

  Result<> check_count(std::optional<std::uint64_t> expect) const {
    if (!expect && arguments_ == 0) {
      return refuse("no-arguments", "no layer is in, so there is not one argument");
    }
    if (!expect || *expect == arguments_) return {};
    return refuse("wrong-count", "the plan expects " + std::to_string(*expect) +
                                     " arguments, and there are " + std::to_string(arguments_) +
                                     (counts_.empty() ? "" : " (" + counts_ + ")"));
  }

  Words take() { return std::move(words_); }

 private:
  Result<bool> is_in(const Layer& layer) {
    if (layer.when.empty()) return true;
    const CommandResult end = HF_TRY(runner_.run({.argv = layer.when,
                                                  .directory = source_.directory,
                                                  .timeout = layer.timeout,
                                                  .to = CommandRequest::Stdout::kStderr}));
    HF_TRY(check_interrupted(end));
    if (end.exit_code == 0 || end.exit_code == 1) return end.exit_code == 0;
    return refuse("when-failed", "its condition said neither yes (0) nor no (1): " + end.failure);
  }

  Result<Words> written(const Layer& layer) const {
    Words words;
    for (const std::string& arg : layer.args) {
      words.push_back(HF_TRY(expand(arg, variables_)));
    }
    if (layer.digest) {
      const std::string path = beside(source_, words.front());
      const os::File file = HF_TRY(open_regular(path, source_.trust));
      const Digest found = HF_TRY(digest_of(file));
      HF_TRY(check_digest(*layer.digest, found, "'" + path + "'"));
    }
    return words;
  }

  Result<Words> printed(const Layer& layer) {
    CommandResult end = HF_TRY(runner_.run({.argv = layer.command,
                                            .directory = source_.directory,
                                            .timeout = layer.timeout,
                                            .max_output = kMaxLayerOutput}));
    HF_TRY(check_interrupted(end));
    if (end.timed_out) {
      return refuse("timeout", "its command did not end within " + format_duration(layer.timeout));
    }
    if (end.exit_code != 0) return refuse("command-failed", "its command failed: " + end.failure);
    if (layer.output == LayerOutput::kLines) {
      end.output = os::with_plain_line_ends(std::move(end.output));
    }
    Words words = HF_TRY(split_layer_output(end.output, layer.output));
    if (words.empty() && !layer.may_be_empty) {
      return refuse("no-arguments",
                    "its command printed nothing, which is how a broken one looks; if that is "
                    "right, say `may_be_empty = true`");
    }
    if (layer.digest) {
      HF_TRY(check_digest(*layer.digest, os::sha256(end.output), "what its command printed"));
    }
    return words;
  }

  Result<> add_word(const Layer& layer, const std::string& word) {
    ++arguments_;
    if (form_ == LayerWords::kPlain) {
      words_.push_back(word);
      return {};
    }
    if (word.empty()) return refuse("missing-file", "an argument is empty and names no file");
    std::string path = beside(source_, word);
    if (path.starts_with('-')) path.insert(0, "./");
    const os::File file = HF_TRY(open_regular(path, source_.trust));
    const os::FileInfo info = HF_TRY(file.info());
    const auto [first, is_new] = files_.emplace(info.id, layer.name);
    if (!is_new) {
      return refuse("duplicate",
                    "the file '" + path + "' is there already, by layer '" + first->second + "'");
    }
    words_.emplace_back("-f");
    words_.push_back(std::move(path));
    return {};
  }

  const LayerSource& source_;
  LayerWords form_;
  const VariableLookup& variables_;
  CommandRunner& runner_;
  Words words_;
  std::uint64_t arguments_ = 0;
  std::string counts_;                       // "base 2, mounts 1"
  std::map<os::FileId, std::string> files_;  // and the layer that named it first
};

}  // namespace

LayerSource layer_source(const std::string& path) {
  const std::string_view directory = parent_path(path);
  return {.file = path, .directory = directory.empty() ? "." : std::string(directory)};
}

Digest digest_of_words(std::span<const std::string> words) {
  os::Sha256 sha;
  for (const std::string& word : words) sha.update({word.c_str(), word.size() + 1});
  return sha.finish();
}

std::expected<LayerList, LayerRefusal> assemble_layers(const LayerPlan& plan,
                                                       const LayerSource& source, LayerWords form,
                                                       const VariableLookup& variables,
                                                       CommandRunner& runner) {
  Assembler assembler(source, form, variables, runner);
  for (const Layer& layer : plan.layers) {
    Result<> added = assembler.add(layer);
    if (added) continue;
    Error error = std::move(added).error();
    error.op = "assemble the layer";
    error.subject = "'" + layer.name + "' of " + toml_place(source.file, layer.line, layer.column);
    return std::unexpected(LayerRefusal{.error = std::move(error), .layer = layer.name});
  }
  if (const auto counted = assembler.check_count(plan.expect); !counted) {
    Error error = counted.error();
    error.op = "assemble the layers of";
    error.subject = source.file;
    return std::unexpected(LayerRefusal{.error = std::move(error), .layer = ""});
  }
  LayerList list{.words = assembler.take(), .digest = {}};
  list.digest = digest_of_words(list.words);
  return list;
}

}  // namespace holdfast::file
