// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace peerbar
{

// A function's place in the machine, in the order in which lists are sorted.
struct PciAddress {
    std::uint16_t domain = 0;
    std::uint8_t bus = 0;
    std::uint8_t device = 0;
    std::uint8_t function = 0;
    auto operator<=>(const PciAddress &) const = default;
};

// A bus of one domain.
struct PciBus {
    std::uint16_t domain = 0;
    std::uint8_t number = 0;
    auto operator<=>(const PciBus &) const = default;
};

constexpr PciBus bus_of(const PciAddress &address)
{
    return PciBus{address.domain, address.bus};
}

// Takes the full form only, "0000:05:00.0" in lower case: files are to have one
// spelling for one function.
std::optional<PciAddress> parse_pci_address(std::string_view text);

std::string to_text(const PciAddress &address);
std::string to_text(const PciBus &bus);

} // namespace peerbar
