// SPDX-License-Identifier: Apache-2.0
//
// loop_make N <LINE: the log of a loop with N items like that of LINE, of which half are done and
// half wait as it does.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "format/loop/loop_item.h"

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  const std::uint64_t count = std::strtoull(argv[1], nullptr, 10);
  std::string line;
  if (!std::getline(std::cin, line)) return 65;
  const auto read = holdfast::decode_loop_line(line, "stdin");
  if (!read || !std::holds_alternative<holdfast::ItemRecord>(*read)) return 65;
  auto item = std::get<holdfast::ItemRecord>(*read);
  for (std::uint64_t i = 0; i < count; ++i) {
    item.id = std::to_string(i);
    item.session = "bench-" + item.id;
    item.state = i % 2 == 0 ? holdfast::ItemState::kWaiting : holdfast::ItemState::kDone;
    std::cout << holdfast::encode_loop_line(item);
  }
  return 0;
}
