// SPDX-License-Identifier: Apache-2.0
//
// The words that start a behaviour of hf_test_child (child/child.h) from a unit test. The program
// lies at a fixed place beside the test programs of the build.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "os/spawn/program.h"

namespace holdfast::testing {

inline std::vector<std::string> test_child(std::vector<std::string> behaviour) {
  auto self = os::own_program_path();
  if (!self) std::abort();
  const std::size_t name = self->find_last_of("/\\");
  const std::size_t folder = self->find_last_of("/\\", name - 1);
  const std::string separator = self->substr(name, 1);
  const std::string ending = self->ends_with(".exe") ? ".exe" : "";
  std::vector<std::string> words;
  words.push_back(self->substr(0, folder) + separator + "testing" + separator + "child" +
                  separator + "hf_test_child" + ending);
  words.insert(words.end(), behaviour.begin(), behaviour.end());
  return words;
}

}  // namespace holdfast::testing
