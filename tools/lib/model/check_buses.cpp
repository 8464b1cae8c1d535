// SPDX-License-Identifier: GPL-2.0-only
//
// The tree of buses: every bus has one leader, the ranges of bridges nest, and
// every function can be found by a scan from the root.
#include <map>
#include <set>

#include "model/checks.hpp"
#include "model/words.hpp"

namespace peerbar
{
namespace
{

const BusLeader *leader_of(const BusMap &buses, const PciBus &bus)
{
    const auto found = buses.find(bus);
    return found != buses.end() ? &found->second : nullptr;
}

bool has_sane_buses(const Function &function)
{
    return is_bridge(function) && function.buses &&
           function.buses->secondary > function.address.bus &&
           function.buses->subordinate >= function.buses->secondary;
}

std::string bus_range(const BridgeBuses &buses)
{
    return fmt::format("{}-{}", buses.secondary, buses.subordinate);
}

void check_secondary(const Function &bridge, const BusMap &buses, Findings &findings)
{
    const PciBus bus{bridge.address.domain, bridge.buses->secondary};
    const BusLeader *leader = leader_of(buses, bus);
    if (leader == nullptr || leader->bridge == &bridge) {
        return;
    }
    findings.add(
        "/secondary",
        fmt::format("{} already leads to bus {}",
                    leader->host != nullptr ? "a host bridge" : to_text(leader->bridge->address),
                    bus.number),
        "give each bridge a secondary bus of its own");
}

void check_nesting(const Function &bridge, const BusMap &buses, Findings &findings)
{
    const BusLeader *parent = leader_of(buses, bus_of(bridge.address));
    if (parent == nullptr) {
        return;
    }
    const bool below_bridge = parent->bridge != nullptr;
    const unsigned last = below_bridge ? parent->bridge->buses->subordinate : parent->host->bus_end;
    if (bridge.buses->subordinate > last) {
        findings.add("/subordinate",
                     fmt::format("subordinate bus {} is above {}, the last bus of {}",
                                 bridge.buses->subordinate, last,
                                 below_bridge ? to_text(parent->bridge->address)
                                              : std::string("the host bridge")),
                     "bus ranges must nest: lower it, or raise the parent's");
    }
}

// Bridges on one bus must not share bus numbers.
void check_siblings(const Machine &machine, Problems &problems)
{
    std::map<PciBus, std::vector<const Function *>> bridges;
    for (std::size_t i = 0; i < machine.functions.size(); i++) {
        const Function &function = machine.functions[i];
        if (!has_sane_buses(function)) {
            continue;
        }
        auto &siblings = bridges[bus_of(function.address)];
        for (const Function *other : siblings) {
            const bool same_secondary = function.buses->secondary == other->buses->secondary;
            if (!same_secondary && function.buses->secondary <= other->buses->subordinate &&
                other->buses->secondary <= function.buses->subordinate) {
                problems.push_back(
                    {pointer_to_function(i) + "/secondary",
                     fmt::format("buses {} overlap buses {} of {}", bus_range(*function.buses),
                                 bus_range(*other->buses), to_text(other->address)),
                     "give bridges on one bus separate ranges"});
            }
        }
        siblings.push_back(&function);
    }
}

void check_duplicates(const Machine &machine, Problems &problems)
{
    std::map<PciAddress, std::size_t> seen;
    for (std::size_t i = 0; i < machine.functions.size(); i++) {
        const PciAddress &address = machine.functions[i].address;
        const auto [first, inserted] = seen.emplace(address, i);
        if (!inserted) {
            problems.push_back({pointer_to_function(i) + "/address",
                                fmt::format("{} is already at {}", to_text(address),
                                            pointer_to_function(first->second)),
                                "give each function an address of its own"});
        }
    }
}

// A scan looks at functions 1 to 7 only when function 0 answers.
void check_function_zero(const Machine &machine, Problems &problems)
{
    std::set<PciAddress> present;
    for (const Function &function : machine.functions) {
        present.insert(function.address);
    }
    for (std::size_t i = 0; i < machine.functions.size(); i++) {
        PciAddress zero = machine.functions[i].address;
        zero.function = 0;
        if (!present.contains(zero)) {
            problems.push_back({pointer_to_function(i) + "/address",
                                fmt::format("{} cannot be found: there is no {}",
                                            to_text(machine.functions[i].address), to_text(zero)),
                                "add function 0 of that device"});
        }
    }
}

void check_reached(const Function &function, const BusMap &buses, Findings &findings)
{
    if (leader_of(buses, bus_of(function.address)) == nullptr) {
        findings.add("/address",
                     fmt::format("no bridge leads to bus {}", to_text(bus_of(function.address))),
                     "add the bridge, or correct the address");
    }
}

// PCIe r6.2, sec. 1.3 and 7.3.1: which port can sit below which.
void check_place(const Function &function, const BusLeader &parent, Findings &findings)
{
    const bool on_root_bus = parent.bridge == nullptr;
    const PortType above = on_root_bus ? PortType::root : parent.bridge->port;
    switch (function.port) {
    case PortType::root:
    case PortType::root_integrated:
        if (!on_root_bus) {
            findings.add("/port",
                         fmt::format("port {} sits on a root bus, not below {}",
                                     to_word(function.port), to_text(parent.bridge->address)),
                         "correct port or address");
        }
        break;
    case PortType::upstream:
        if (on_root_bus || (above != PortType::root && above != PortType::downstream)) {
            findings.add("/port", "an upstream port sits below a root or downstream port",
                         "correct port or address");
        }
        break;
    case PortType::downstream:
        if (on_root_bus || above != PortType::upstream) {
            findings.add("/port", "a downstream port sits below an upstream port",
                         "correct port or address");
        }
        break;
    default:
        break;
    }
    const bool below_link =
        !on_root_bus && (above == PortType::root || above == PortType::downstream);
    if (below_link && function.address.device != 0) {
        findings.add("/address",
                     fmt::format("a link leads to device 0 only, and {} is below {}",
                                 to_text(function.address), to_text(parent.bridge->address)),
                     "use device 0");
    }
}

} // namespace

BusMap map_buses(const Machine &machine)
{
    BusMap buses;
    for (const HostBridge &host : machine.host_bridges) {
        buses.emplace(PciBus{host.domain, host.bus_start}, BusLeader{&host, nullptr});
    }
    for (const Function &function : machine.functions) {
        if (has_sane_buses(function)) {
            buses.emplace(PciBus{function.address.domain, function.buses->secondary},
                          BusLeader{nullptr, &function});
        }
    }
    return buses;
}

void check_buses(const Machine &machine, const BusMap &buses, Problems &problems)
{
    check_duplicates(machine, problems);
    for (std::size_t i = 0; i < machine.functions.size(); i++) {
        const Function &function = machine.functions[i];
        Findings findings(problems, pointer_to_function(i));
        check_reached(function, buses, findings);
        if (has_sane_buses(function)) {
            check_secondary(function, buses, findings);
            check_nesting(function, buses, findings);
        }
    }
    check_siblings(machine, problems);
    check_function_zero(machine, problems);
}

void check_ports(const Machine &machine, const BusMap &buses, Problems &problems)
{
    for (std::size_t i = 0; i < machine.functions.size(); i++) {
        const Function &function = machine.functions[i];
        const BusLeader *parent = leader_of(buses, bus_of(function.address));
        if (parent != nullptr) {
            Findings findings(problems, pointer_to_function(i));
            check_place(function, *parent, findings);
        }
    }
}

} // namespace peerbar
