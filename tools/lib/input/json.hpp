// SPDX-License-Identifier: GPL-2.0-only
//
// JSON with its keys in file order. Private to lib/input: the header is large,
// and nothing else needs to know how machine files are spelled.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "model/problem.hpp"

namespace peerbar
{

using Json = nlohmann::ordered_json;

// Parses strict JSON. Refuses a key that an object has twice, which the
// library would pass over in silence.
tl::expected<Json, Problems> parse_json(std::string_view text);

// JSON text in a fixed layout: a list of plain values, or whatever fits in 100
// columns, takes one line; the rest has one element a line. Ends with a newline.
std::string format_json(const Json &value);

} // namespace peerbar
