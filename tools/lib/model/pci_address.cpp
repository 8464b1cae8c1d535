// SPDX-License-Identifier: GPL-2.0-only
#include "model/pci_address.hpp"

#include <charconv>

#include <fmt/format.h>

namespace peerbar
{
namespace
{

constexpr unsigned max_device = 0x1f;
constexpr unsigned max_function = 7;

// Takes exactly `digits` lower-case hexadecimal digits off the front.
std::optional<unsigned> take_hex(std::string_view &text, std::size_t digits)
{
    const std::string_view field = text.substr(0, digits);
    if (field.size() != digits ||
        field.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
        return std::nullopt;
    }
    unsigned value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value, 16);
    text.remove_prefix(digits);
    return value;
}

bool take_char(std::string_view &text, char wanted)
{
    if (!text.starts_with(wanted)) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

} // namespace

std::optional<PciAddress> parse_pci_address(std::string_view text)
{
    const auto domain = take_hex(text, 4);
    if (!domain || !take_char(text, ':')) {
        return std::nullopt;
    }
    const auto bus = take_hex(text, 2);
    if (!bus || !take_char(text, ':')) {
        return std::nullopt;
    }
    const auto device = take_hex(text, 2);
    if (!device || *device > max_device || !take_char(text, '.')) {
        return std::nullopt;
    }
    const auto function = take_hex(text, 1);
    if (!function || *function > max_function || !text.empty()) {
        return std::nullopt;
    }
    return PciAddress{static_cast<std::uint16_t>(*domain), static_cast<std::uint8_t>(*bus),
                      static_cast<std::uint8_t>(*device), static_cast<std::uint8_t>(*function)};
}

std::string to_text(const PciAddress &address)
{
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", address.domain, address.bus, address.device,
                       address.function);
}

std::string to_text(const PciBus &bus)
{
    return fmt::format("{:04x}:{:02x}", bus.domain, bus.number);
}

} // namespace peerbar
