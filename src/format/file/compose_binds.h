// SPDX-License-Identifier: Apache-2.0
//
// The bind mounts of a compose file: the paths of this machine that an engine would make itself, as
// directories of root, where they are missing.
//
// Read are the `volumes` of every service: the short form (`./a:/b`, `/a:/b:ro`, `~/a:/b`) and the
// long one (`type: bind`); with anchors, aliases and merge keys (`<<`). Variables are replaced as
// expand_compose does it. A name without `.`, `/` or `~` in front is a named volume and not listed;
// so are all other types. JSON is YAML, so `docker compose config --format json` does too.
//
// Guarantee: every source is an absolute path in one spelling (expand.h). What would bring in
// binds from elsewhere (`include`, `extends` with a `file`) is an error and not passed over: give
// the output of `docker compose config` then. At most kMaxComposeSteps nodes are looked at, however
// often aliases name them.
//
// Limits: an `.env` file is not read, the environment counts. `secrets` and `configs` are not
// listed: engines do not make their files. Platform: Windows answers `unsupported` (kRefused).
//
// Errors: kConfig with NAME:LINE: `yaml-syntax`, `compose-shape`, `compose-elsewhere`,
// `compose-too-large`, `unset-variable`, `bad-expansion`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/text/expand.h"

namespace holdfast {

inline constexpr std::size_t kMaxComposeSteps = 1'000'000;

struct BindMount {
  std::string service;
  std::string source;
  std::string target;
  int line = 0;

  bool operator==(const BindMount&) const = default;
};

// `name` is for messages; `base` is the absolute path of the compose file's directory.
Result<std::vector<BindMount>> parse_compose_binds(std::string_view text, std::string_view name,
                                                   std::string_view base,
                                                   const VariableLookup& lookup);

// Variables in the values of a compose file, as `docker compose` replaces them:
//   $VAR ${VAR}                  the value
//   ${VAR:-d} ${VAR-d}           d where it is unset or empty; where it is unset
//   ${VAR:?e} ${VAR?e}           an error with the text e, in the same two cases
//   ${VAR:+x} ${VAR+x}           x where it is set and not empty; where it is set; else nothing
//   $$                           one $
// What stands for d and x may hold variables itself.
//
// One difference, on purpose: an unset variable without a default is an error, where compose puts
// nothing in its place and `${DATA}/db` becomes `/db`.
//
// Errors: kConfig `unset-variable`, `bad-expansion`.
Result<std::string> expand_compose(std::string_view text, const VariableLookup& lookup);

}  // namespace holdfast
