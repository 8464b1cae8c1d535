// SPDX-License-Identifier: GPL-2.0-only
//
// Machine files: JSON, schema "peerbar/machine" version 1, described by
// schema/machine.schema.json.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "model/machine.hpp"
#include "model/problem.hpp"

namespace peerbar
{

// Reads and validates; all or nothing. The problems are all that were found,
// those of spelling first.
tl::expected<Machine, Problems> parse_machine(std::string_view text);
tl::expected<Machine, Problems> read_machine_file(const std::string &path);

// The text of the machine's file. Reading it gives the same machine back, and
// writing what was read from a file in this form gives the same bytes.
std::string format_machine(const Machine &machine);

} // namespace peerbar
