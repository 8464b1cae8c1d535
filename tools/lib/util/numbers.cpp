// SPDX-License-Identifier: GPL-2.0-only
#include "util/numbers.hpp"

#include <charconv>

#include <fmt/format.h>

namespace peerbar
{

std::optional<std::uint64_t> parse_hex(std::string_view text)
{
    constexpr std::string_view prefix = "0x";
    if (!text.starts_with(prefix)) {
        return std::nullopt;
    }
    text.remove_prefix(prefix.size());
    // from_chars also takes upper case; one spelling keeps files comparable.
    if (text.empty() || text.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc{} || stop != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::uint64_t> parse_hex_digits(std::string_view text, std::size_t digits)
{
    return text.size() == digits + 2 ? parse_hex(text) : std::nullopt;
}

std::string format_hex(std::uint64_t value, int digits)
{
    return fmt::format("0x{:0{}x}", value, digits);
}

} // namespace peerbar
