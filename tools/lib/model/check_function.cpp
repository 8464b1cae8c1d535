// SPDX-License-Identifier: GPL-2.0-only
//
// What a function says about itself: identity, header type, port, bus numbers.
#include <array>

#include "model/checks.hpp"
#include "model/words.hpp"
#include "util/numbers.hpp"

namespace peerbar
{
namespace
{

constexpr std::uint32_t bridge_class = 0x0604;
constexpr std::uint16_t absent_vendor = 0xffff;
constexpr unsigned min_config_bytes = 64;
constexpr unsigned max_config_bytes = 4096;

// A read of a function that is not there returns all ones (PCIe r6.2,
// sec. 2.3.2), so the kernel skips vendor ffff, and 0000 as well.
void check_identity(const Function &function, Findings &findings)
{
    if (function.vendor == absent_vendor || function.vendor == 0) {
        findings.add(
            "/vendor",
            fmt::format("{} stands for an absent function", format_hex(function.vendor, 4)),
            "use the vendor's own number, or leave the function out");
    }
    const bool says_bridge = function.class_code >> 8 == bridge_class;
    if (says_bridge != is_bridge(function)) {
        findings.add("/class",
                     fmt::format("class {} does not go with header type {}",
                                 format_hex(function.class_code, 6), function.header),
                     says_bridge ? "a PCI bridge (0x0604xx) has header 1"
                                 : "a function with header 1 has class 0x0604xx");
    }
}

void check_port(const Function &function, Findings &findings)
{
    const bool bridge = is_bridge(function);
    const PortType port = function.port;
    if (!bridge && (port == PortType::upstream || port == PortType::downstream)) {
        findings.add("/header", fmt::format("a switch's {} port has header type 1", to_word(port)),
                     "set header to 1, or correct port");
    }
    if (bridge && (port == PortType::endpoint || port == PortType::legacy_endpoint ||
                   port == PortType::root_integrated)) {
        findings.add("/header", fmt::format("port {} has header type 0", to_word(port)),
                     "set header to 0, or correct port");
    }
    // PCIe r6.2, sec. 7.5.3.9: only a port with a slot below it has a slot.
    if (function.hotplug && (!bridge || (port != PortType::root && port != PortType::downstream))) {
        findings.add("/hotplug", "only a root port or a switch's downstream port has a slot",
                     "remove hotplug");
    }
}

void check_bus_numbers(const Function &function, Findings &findings)
{
    if (!is_bridge(function)) {
        if (function.buses) {
            findings.add("/secondary", "a function with header type 0 leads to no bus",
                         "remove secondary and subordinate, or set header to 1");
        }
        return;
    }
    if (!function.buses) {
        findings.add("/secondary", "missing in a bridge",
                     "add secondary and subordinate, the bus numbers below it");
        return;
    }
    const BridgeBuses buses = *function.buses;
    if (buses.secondary <= function.address.bus) {
        findings.add("/secondary",
                     fmt::format("bus loop: secondary bus {} is not above the bridge's own bus {}",
                                 buses.secondary, function.address.bus),
                     "number buses upwards from the root");
    }
    if (buses.subordinate < buses.secondary) {
        findings.add("/subordinate",
                     fmt::format("subordinate bus {} is below secondary bus {}", buses.subordinate,
                                 buses.secondary),
                     "set it to the highest bus number below the bridge");
    }
}

void check_config(const Function &function, Findings &findings)
{
    const std::size_t bytes = function.config.size() / 2;
    if (function.config.empty()) {
        return;
    }
    if (function.config.size() % 2 != 0 || bytes < min_config_bytes || bytes > max_config_bytes) {
        findings.add("/config", fmt::format("{} hexadecimal digits", function.config.size()),
                     "give two digits a byte, 64 to 4096 bytes");
    }
}

} // namespace

void check_function(const Function &function, Findings findings)
{
    check_identity(function, findings);
    check_port(function, findings);
    check_bus_numbers(function, findings);
    check_config(function, findings);
}

} // namespace peerbar
