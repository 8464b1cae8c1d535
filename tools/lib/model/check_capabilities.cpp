// SPDX-License-Identifier: GPL-2.0-only
//
// ACS and link registers of one function, and which functions can have them.
#include <algorithm>
#include <array>
#include <set>

#include "model/checks.hpp"
#include "model/words.hpp"

namespace peerbar
{
namespace
{

constexpr std::array<unsigned, 7> link_widths = {1, 2, 4, 8, 12, 16, 32};

void check_acs_list(const std::vector<AcsBit> &bits, std::string_view at, Findings &findings)
{
    std::set<AcsBit> seen;
    for (std::size_t i = 0; i < bits.size(); i++) {
        if (!seen.insert(bits[i]).second) {
            findings.add(fmt::format("{}/{}", at, i), fmt::format("{} twice", to_word(bits[i])),
                         "name each bit once");
        }
    }
}

void check_acs(const Acs &acs, Findings &findings)
{
    check_acs_list(acs.capable, "/acs/capable", findings);
    check_acs_list(acs.enabled, "/acs/enabled", findings);
    for (std::size_t i = 0; i < acs.enabled.size(); i++) {
        if (std::ranges::find(acs.capable, acs.enabled[i]) == acs.capable.end()) {
            findings.add(fmt::format("/acs/enabled/{}", i),
                         fmt::format("{} is enabled but not capable", to_word(acs.enabled[i])),
                         "add it to capable, or remove it here");
        }
    }
}

void check_width(unsigned width, std::string_view at, Findings &findings)
{
    if (std::ranges::find(link_widths, width) == link_widths.end()) {
        findings.add(at, fmt::format("no link has {} lanes", width),
                     "use 1, 2, 4, 8, 12, 16 or 32");
    }
}

void check_link(const Link &link, Findings &findings)
{
    check_width(link.width, "/link/width", findings);
    check_width(link.max_width, "/link/max_width", findings);
    if (link.speed > link.max_speed) {
        findings.add("/link/speed",
                     fmt::format("{} GT/s is above max_speed {}", to_word(link.speed),
                                 to_word(link.max_speed)),
                     "lower speed or raise max_speed");
    }
    if (link.target && *link.target > link.max_speed) {
        findings.add("/link/target",
                     fmt::format("{} GT/s is above max_speed {}", to_word(*link.target),
                                 to_word(link.max_speed)),
                     "lower target or raise max_speed");
    }
    if (link.width > link.max_width) {
        findings.add("/link/width",
                     fmt::format("{} lanes is above max_width {}", link.width, link.max_width),
                     "lower width or raise max_width");
    }
}

// A conventional function has no configuration space above 255, where extended
// capabilities live, and a root complex integrated endpoint has no link.
void check_presence(const Function &function, Findings &findings)
{
    if (function.port == PortType::conventional) {
        constexpr std::string_view remedy = "remove it, or give the function a PCIe port type";
        if (!function.rebar.empty()) {
            findings.add("/rebar", "a conventional function has no extended capabilities",
                         std::string(remedy));
        }
        if (function.acs) {
            findings.add("/acs", "a conventional function has no extended capabilities",
                         std::string(remedy));
        }
        if (function.link) {
            findings.add("/link", "a conventional function has no link", std::string(remedy));
        }
    }
    if (function.port == PortType::root_integrated && function.link) {
        findings.add("/link", "a root complex integrated endpoint has no link",
                     "remove it, or correct port");
    }
}

} // namespace

void check_capabilities(const Function &function, Findings findings)
{
    check_presence(function, findings);
    if (function.acs) {
        check_acs(*function.acs, findings);
    }
    if (function.link) {
        check_link(*function.link, findings);
    }
}

} // namespace peerbar
