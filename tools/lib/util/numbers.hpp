// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace peerbar
{

// Reads "0x" and lower-case hexadecimal digits, nothing around them. Empty when
// the text has another form or does not fit in 64 bits.
std::optional<std::uint64_t> parse_hex(std::string_view text);

// Like parse_hex(), with exactly `digits` digits, as identifiers are written.
std::optional<std::uint64_t> parse_hex_digits(std::string_view text, std::size_t digits);

// "0x" and at least `digits` digits.
std::string format_hex(std::uint64_t value, int digits = 1);

} // namespace peerbar
