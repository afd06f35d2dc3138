// SPDX-License-Identifier: Apache-2.0
//
// Fields of one item of a loop, a JSON object that was proven to be one.
//
// A path is the names of nested fields, as split_field gives them. On the way through a list a name
// that counts (`0`) means that element. For item_words any other name means that field of every
// element: of {"labels":[{"name":"a"},{"name":"b"}]} the path labels.name has the words a and b.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// The text, number or boolean there, as it would be typed; a number keeps its spelling. nullopt:
// missing, null, a list or an object.
std::optional<std::string> item_scalar(std::string_view item, std::span<const std::string> path);

// The same, of a text or a whole number only.
std::optional<std::string> item_id(std::string_view item, std::span<const std::string> path);

// All of them, where there is a list.
std::vector<std::string> item_words(std::string_view item, std::span<const std::string> path);

}  // namespace holdfast
