// SPDX-License-Identifier: GPL-2.0-only
//
// Address space as firmware preset it. On each bus, BARs and bridge windows are
// claims; claims on one bus must not overlap, and each must lie inside a window
// of the bridge that leads to the bus. That is what pci_claim_resource() demands
// when the kernel takes over such a layout (drivers/pci/setup-res.c).
#include <algorithm>
#include <map>

#include "model/checks.hpp"
#include "model/words.hpp"

namespace peerbar
{
namespace
{

struct Claim {
    std::string pointer;
    std::string what;
    Range range;
    bool io = false;
    bool prefetchable = false;
};

struct ParentWindow {
    std::string_view type;
    Range range;
    bool io = false;
    bool prefetchable = false;
};

using ClaimsByBus = std::map<PciBus, std::vector<Claim>>;

void add_claims(const Function &function, std::size_t index, std::vector<Claim> &claims)
{
    for (std::size_t i = 0; i < function.bars.size(); i++) {
        const Bar &bar = function.bars[i];
        if (is_usable(bar)) {
            claims.push_back({fmt::format("{}/bars/{}", pointer_to_function(index), i),
                              describe(function, bar), range_at(*bar.address, bar.size),
                              is_io(bar.type), is_prefetchable(bar.type)});
        }
    }
    for (std::size_t i = 0; is_bridge(function) && i < function.windows.size(); i++) {
        const BridgeWindow &window = function.windows[i];
        if (is_usable(window)) {
            claims.push_back({fmt::format("{}/windows/{}", pointer_to_function(index), i),
                              describe(function, window), window.range,
                              window.type == WindowType::io, is_prefetchable(window.type)});
        }
    }
}

ClaimsByBus collect_claims(const Machine &machine)
{
    ClaimsByBus claims;
    for (std::size_t i = 0; i < machine.functions.size(); i++) {
        const Function &function = machine.functions[i];
        add_claims(function, i, claims[bus_of(function.address)]);
    }
    return claims;
}

std::vector<ParentWindow> windows_of(const BusLeader &leader)
{
    std::vector<ParentWindow> windows;
    if (leader.host != nullptr) {
        for (const HostWindow &window : leader.host->windows) {
            windows.push_back({to_word(window.type), window.range, is_io(window.type),
                               is_prefetchable(window.type)});
        }
        return windows;
    }
    for (const BridgeWindow &window : leader.bridge->windows) {
        windows.push_back({to_word(window.type), window.range, window.type == WindowType::io,
                           is_prefetchable(window.type)});
    }
    return windows;
}

// The kernel never puts what is not prefetchable into a prefetchable window
// (pci_find_parent_resource(), drivers/pci/pci.c).
bool accepts(const ParentWindow &window, const Claim &claim)
{
    return window.io == claim.io && (claim.prefetchable || !window.prefetchable);
}

std::string list_of(const std::vector<ParentWindow> &windows, const Claim &claim)
{
    std::string list;
    for (const ParentWindow &window : windows) {
        if (accepts(window, claim)) {
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", window.type,
                                to_text(window.range));
        }
    }
    return list.empty() ? "none open" : list;
}

void check_inside(const Claim &claim, const BusLeader &leader, Problems &problems)
{
    const std::vector<ParentWindow> windows = windows_of(leader);
    const bool inside = std::ranges::any_of(windows, [&](const ParentWindow &window) {
        return accepts(window, claim) && contains(window.range, claim.range);
    });
    if (inside) {
        return;
    }
    const std::string parent =
        leader.host != nullptr ? std::string("the host bridge") : to_text(leader.bridge->address);
    problems.push_back({claim.pointer,
                        fmt::format("{} {} is outside the windows of {} ({})", claim.what,
                                    to_text(claim.range), parent, list_of(windows, claim)),
                        "move it inside, or widen the window above"});
}

void check_overlaps(const std::vector<Claim> &claims, Problems &problems)
{
    for (std::size_t i = 0; i < claims.size(); i++) {
        for (std::size_t j = 0; j < i; j++) {
            if (claims[i].io == claims[j].io && overlap(claims[i].range, claims[j].range)) {
                problems.push_back(
                    {claims[i].pointer,
                     fmt::format("{} {} overlaps {} {}", claims[i].what, to_text(claims[i].range),
                                 claims[j].what, to_text(claims[j].range)),
                     "claims on one bus must not overlap: move one of them"});
            }
        }
    }
}

} // namespace

void check_claims(const Machine &machine, const BusMap &buses, Problems &problems)
{
    for (const auto &[bus, claims] : collect_claims(machine)) {
        check_overlaps(claims, problems);
        const auto leader = buses.find(bus);
        if (leader == buses.end()) {
            continue; // reported by check_buses()
        }
        for (const Claim &claim : claims) {
            check_inside(claim, leader->second, problems);
        }
    }
}

} // namespace peerbar
