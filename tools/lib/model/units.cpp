// SPDX-License-Identifier: GPL-2.0-only
#include "model/units.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "util/numbers.hpp"

namespace peerbar
{

std::string to_text(Bytes size)
{
    constexpr std::array<std::pair<int, char>, 4> units = {
        {{40, 'T'}, {30, 'G'}, {20, 'M'}, {10, 'K'}}};
    for (const auto &[shift, letter] : units) {
        const std::uint64_t unit = std::uint64_t{1} << shift;
        if (size.count != 0 && size.count % unit == 0) {
            return fmt::format("{}{}", size.count >> shift, letter);
        }
    }
    return fmt::format("{}", size.count);
}

std::string to_text(BusAddress address)
{
    return format_hex(address.value);
}

std::string to_text(const Range &range)
{
    return fmt::format("{}-{}", to_text(range.start), to_text(range.end));
}

} // namespace peerbar
